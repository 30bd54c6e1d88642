#!/usr/bin/env bash
# Installs what the tests need, where it is not there: PostgreSQL, MariaDB, a Java runtime for Spark, and Chromium for pages.
# The tests start servers of their own in temporary folders, and are skipped, with a reason, where this could not be done:
# without root, without apt, or without a network. So this script never fails.
set -uo pipefail

packages=()
compgen -G "/usr/lib/postgresql/*/bin/initdb" > /dev/null || packages+=(postgresql)
command -v mariadbd > /dev/null || packages+=(mariadb-server)
command -v java > /dev/null || packages+=(default-jre-headless)
command -v chromium > /dev/null || packages+=(chromium)

if [ ${#packages[@]} -eq 0 ]; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get > /dev/null; then
    echo "not root, or no apt-get: without ${packages[*]} their tests are skipped" >&2
    exit 0
fi

# Debian starts a server that it installs; nobody here asked for one. This file says no, and goes afterwards.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' > "$policy" && chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
fi

export DEBIAN_FRONTEND=noninteractive
options=(-qq -o DPkg::Lock::Timeout=60 -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
install() { timeout 480 apt-get "${options[@]}" install -y --no-install-recommends "${packages[@]}" > /dev/null 2>&1; }
timeout 60 apt-get "${options[@]}" update > /dev/null 2>&1
install || echo "apt-get could not install ${packages[*]}: their tests are skipped" >&2
exit 0

#!/usr/bin/env bash
# Runs the tests of the adapters whose frameworks are large, each in an environment of its own outside the checkout: the wheel
# with the adapter's extra, at the versions that the package index serves today. A framework that cannot be installed, here
# or today, is said and no failure; a test that fails is one.
# Usage: tests/adapters.sh [NAME]...    The environment may set PYTHON.
set -uo pipefail
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(haystack lancedb pyterrier vanna)
python=${PYTHON:-python3}
checkout=$(cd "$(dirname "$0")/.." && pwd)
tests=$checkout/tests/jar/adapters
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1
rm -rf "$checkout/build/lib"  # setuptools would pack what an earlier build left there
mkdir "$folder/work" && cd "$folder/work" || exit 1

# pip NAME ARGUMENT...: install into an environment, in at most five minutes.
pip() {
    timeout 300 "$folder/$1/bin/python" -m pip install --quiet --no-compile --constraint "$checkout/constraints.txt" "${@:2}"
}

# check NAME ARGUMENT...: run tests with the installed package, in at most three minutes.
check() {
    timeout 180 "$folder/$1/bin/python" -m pytest -c "$checkout/setup.cfg" -o pythonpath= -p no:cacheprovider -q "${@:2}"
}

# What they all need is installed and compiled once. The others begin with a copy: nothing in it knows where it lies.
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$folder/dist" "$checkout" || exit 1
wheel=$(echo "$folder"/dist/*.whl)
if ! { "$python" -m venv "$folder/base" && pip base "jar-rerank[static] @ file://$wheel" pytest pytest-timeout; }; then
    echo "the package itself cannot be installed, so that no adapter was tried" >&2
    exit 1
fi
check base "$tests/test_items.py" || exit 1

# try NAME: 0 where an adapter does what its tests and its page say, 1 where not, 2 where it cannot be installed.
try() {
    "$python" -m venv --without-pip "$folder/$1" || return 2
    cp -a "$folder"/base/lib/. "$folder/$1/lib" || return 2
    if ! pip "$1" "jar-rerank[$1] @ file://$wheel" 2> "$folder/log"; then
        grep -v "^WARNING" "$folder/log" | tail -n 3
        return 2
    fi
    "$folder/$1/bin/python" -c "import jar.adapters.$1" || return 1
    check "$1" "$tests/test_$1.py" "$tests/test_adapter_pages.py::test_the_examples_print_what_the_page_shows[$1]"
    local status=$?
    [ $status -ne 124 ] || echo "stopped after three minutes"
    [ $status -eq 0 ] || return 1
}

told=() failed=0
for name in "${names[@]}"; do
    echo "== $name"
    start=$SECONDS
    try "$name"
    case $? in
        0) said=passed ;;
        2) said="NOT TRIED, it cannot be installed here today" ;;
        *) said=FAILED failed=1 ;;
    esac
    told+=("$name: $said ($((SECONDS - start)) s)")
    rm -rf "${folder:?}/$name"
done
printf 'adapter of %s\n' "${told[@]}"
exit $failed

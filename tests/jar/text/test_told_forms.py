"""Descriptions explain the short forms in names, for all names of their database."""

from __future__ import annotations

import pytest

from jar import Catalog
from jar.text.spelled_names import spell
from jar.text.told_forms import told_forms

PORT = """
CREATE TABLE mar_plt (plt_id INTEGER PRIMARY KEY, brn_dt DATE);
COMMENT ON TABLE mar_plt IS 'Pilots';
COMMENT ON COLUMN mar_plt.brn_dt IS 'born on';
CREATE TABLE mar_plt_lic (plt_id INTEGER, vld_to DATE);
CREATE TABLE mar_pc (pc_id BIGINT PRIMARY KEY, plt_id INTEGER, opr_id INTEGER);
COMMENT ON TABLE mar_pc IS 'Port calls';
CREATE TABLE mar_opr (opr_id INTEGER PRIMARY KEY);
COMMENT ON TABLE mar_opr IS 'Shipping lines and vessel operators';
"""


def test_a_comment_explains_a_name_wherever_it_stands() -> None:
    """`plt` would be a plant, `brn` a branch, and `pc` a computer's."""
    spelled = {table.table.name: table for table in spell(Catalog.from_ddl(PORT).tables)}
    assert spelled["mar_plt"].name == ("mar", "pilot")
    assert spelled["mar_plt"].columns == (("pilot", "id"), ("born", "date"))
    assert spelled["mar_plt_lic"].name == ("mar", "pilot", "license")
    assert spelled["mar_pc"].columns == (("port", "calls", "id"), ("pilot", "id"), ("operator", "id"))


@pytest.mark.parametrize(
    ("name", "description", "told"),
    [
        ("gt_txn", "Truck gate transactions", ("gate",)),  # its consonants, before the initials of the last two words
        ("lc_cvg", "Low coverage of the locus", ("low", "coverage")),
        ("dss", "disease-specific survival", ("disease", "specific", "survival")),
        ("bl", "Bills of lading", ("bills", "lading")),
        ("rent", "Rental income", None),  # a word
        ("plat", "Platelets", ("platelet",)),
        ("st", "st of the order", None),  # stands there itself
        ("lymphocyte", "Lymphocytes per litre", None),  # the same word
        ("nm", "Name of the member", None),  # what it always means stands there
        ("no", "North offset", None),  # a word that says nothing by itself
        ("tx", "the 1st", None),
    ],
)
def test_what_a_part_is_short_for(name: str, description: str, told: tuple[str, ...] | None) -> None:
    part = name.split("_")[0]
    assert told_forms([(name, description)]).get(part) == told


def test_most_descriptions_decide() -> None:
    described = [("tx_id", "Tax number"), ("tx_rt", "tax rate"), ("tx_no", "Text number"), ("tx", "")]
    assert told_forms(described)["tx"] == ("tax",)
    assert told_forms([]) == {}

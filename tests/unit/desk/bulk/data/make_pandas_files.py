"""Writes the files of the folder `pandas` beside this module, as people who use pandas would.

To be run by hand, in an environment that has pandas with openpyxl and XlsxWriter: pandas and numpy take 150 MB, and
what a test environment has a packer may find. The files were written by pandas 3.1.1.
"""

from pathlib import Path

import pandas as pd

OUT = Path(__file__).with_name("pandas")


def main() -> None:
    """Write all of them."""
    frame = pd.DataFrame(
        {
            "Order Number": ["P-1", "P-2", "P-3", "P-4"],
            "Customer Name": ["J. Rivera", "Dana Whitfield", "Zoë Müller", "O'Neil & Sons"],
            "Address 1": ["12 Beale Street", "4 Elm Court", '7 Rue "A", Floor 2', "9 Oak Lane"],
            "Address 2": [None, "Suite 4", None, None],
            "City": ["Memphis", "Boston", "Reno", "Asheville"],
            "State": ["TN", "MA", "NV", "NC"],
            "Zip": [38103, 2144, 89501, 28801],  # read as numbers, as pandas does by itself
            "Phone": [9015550142, 6175550199, 7755550111, 8285550123],
            "SKU": ["SOFA", "CHAIR", "TABLE", "LAMP"],
            "Qty": [2.0, None, 6.0, 1.0],  # whole numbers with one missing become fractions
            "Cube": [84.5, 36.0, 12.25, 0.5],
            "Ship Date": pd.to_datetime(["2026-12-01", "2026-12-02", None, "2026-12-04"]),
            "Barcode": [4900010000012.0, None, 4900010000036.0, 4900010000043.0],
            "By address": [True, True, True, True],
        }
    )
    frame.to_csv(OUT / "plain.csv", index=False)
    frame.to_csv(OUT / "with_index.csv")
    frame.to_csv(
        OUT / "european.csv", sep=";", decimal=",", index=False, encoding="cp1252", na_rep="NaN",
        date_format="%d.%m.%Y",
    )  # fmt: skip
    frame.to_csv(OUT / "tabs.tsv", sep="\t", index=False, encoding="utf-16")
    frame.to_excel(OUT / "openpyxl.xlsx", index=False, engine="openpyxl", sheet_name="Orders")
    frame.to_excel(OUT / "with_index.xlsx", engine="xlsxwriter", sheet_name="Orders")
    frame.astype(str).to_excel(OUT / "as_text.xlsx", index=False)
    lines = pd.MultiIndex.from_tuples(
        [("P-1", "J. Rivera"), ("P-1", "J. Rivera"), ("P-2", "Dana Whitfield")], names=["Order Number", "Customer Name"]
    )
    freight = {"SKU": ["SOFA", "CHAIR", "TABLE"], "Qty": [2, 6, 1], "Cube": [84.5, 36.0, 12.25]}
    pd.DataFrame(freight, index=lines).to_excel(OUT / "merged.xlsx", engine="openpyxl")


if __name__ == "__main__":
    main()

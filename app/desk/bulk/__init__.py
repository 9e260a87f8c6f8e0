"""Bulk import: orders, or references to cancel, from a file, checked row by row, and sent only where something changes.

    files/     a file or pasted text becomes a `Table` of texts. Begin with `read_file`
    mapping/   which column is which field of an order, and how its cells are written
    rows/      `import_sheet.ImportSheet`: the rows, the orders that they make, issues on cells, corrections
    outcome/   what sending would do, the sending of a whole import, its receipt, the watched folder

The way of a file: `files.read_file`, `mapping.kept_mappings.mapping_for`, `rows.import_sheet.ImportSheet`,
`outcome.import_verdicts`, `outcome.import_batch`, `outcome.import_receipt`.

Invariants: no cell is altered silently: a cell is either taken for what it says, or has a sentence. The same file twice
sends nothing. Imported by `background` and the page of the import; knows no Qt.
"""

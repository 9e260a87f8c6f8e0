"""An order's documents: the order in which they are shown, and the names under which they are saved.

Invariant: proofs of delivery come first, and within a kind the newest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.contract.codes import FOLDER_TYPE_WORDS
from app.contract.information import Order
from app.desk.files.save_files import Wanted, own_name, safe_stem
from app.desk.orders import order_words
from app.desk.text.file_names import plain_name


@dataclass(frozen=True, slots=True)
class Document:
    """A document as the provider lists it; every text may be empty or odd."""

    address: str
    name: str
    folder: str
    created: datetime | None = None

    @property
    def kind(self) -> str:
        """The kind of document, with the provider's code."""
        return kind_words(self.folder)


def kind_words(folder: str) -> str:
    """`Proof of delivery (POD)`; a code that the contract does not know stands for itself."""
    word = FOLDER_TYPE_WORDS.get(folder, order_words.DOCUMENT)
    return order_words.kind_with_code(word, folder) if folder else word


def documents_of(order: Order) -> list[Document]:
    """The documents by kind, proof of delivery first, the newest of each kind first."""
    found = [
        Document(each.Url or "", plain_name(each.Filename or ""), (each.Folder or "").strip(), each.CreatedDate)
        for each in order.ProofOfDelivery or ()
    ]
    newest_first = sorted(found, key=lambda each: str(each.created or ""), reverse=True)
    return sorted(newest_first, key=_place)


def by_kind(documents: Sequence[Document]) -> list[tuple[str, list[Document]]]:
    """The documents grouped by kind: the kind in words, and its documents."""
    kinds: dict[str, list[Document]] = {}
    for each in documents:
        kinds.setdefault(each.folder, []).append(each)
    return [(kind_words(folder), found) for folder, found in kinds.items()]


def _place(document: Document) -> tuple[bool, bool, str, str]:
    folder = document.folder
    return folder != "POD", folder not in FOLDER_TYPE_WORDS, kind_words(folder), folder


def to_save(documents: Sequence[Document], reference: str) -> list[Wanted]:
    """The documents as files to be saved."""
    return [
        Wanted(each.address, file_stem(each, reference), each.name or order_words.UNNAMED_DOCUMENT)
        for each in documents
    ]


def file_stem(document: Document, reference: str) -> str:
    """`CRN-20481 POD delivery`: a name without an ending that every system takes, letters of any script kept."""
    return safe_stem(reference, document.folder, own_name(document.name))

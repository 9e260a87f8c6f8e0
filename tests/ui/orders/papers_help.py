"""Shared by the tests of an order's documents: order number 7, which has them, and its page."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.desk.desk import Desk
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.orders.orders_page import OrdersPage
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, idle, order

NUMBER = 7


def paper(address: str, folder: str) -> dict[str, str]:
    """A document as the provider names it."""
    return {"Filename": address.rpartition("/")[2], "Url": address, "Folder": folder}


def tell_of_papers(
    loop: RunningLoop, desk: Desk, server: FaultServer, papers: Sequence[dict[str, str]], **told: Any
) -> None:
    """Three orders are known, and the provider says of one that it has these documents, and what else is `told`."""
    record = {"OrderNumber": NUMBER, "CRN": "R-00007", "StatusId": "DSO", "ProofOfDelivery": list(papers), **told}
    server.serve(f"{INFORMATION}/orders/{NUMBER}", json_answer(record))
    fill(loop, desk, [order(number) for number in (NUMBER - 1, NUMBER, NUMBER + 1)])


def open_page(loop: RunningLoop, services: PageServices, show: Show, desk: Desk, gallery: Gallery) -> OrdersPage:
    """The orders page on a desk whose pictures it shows."""
    gallery.take_desk(desk)
    made = OrdersPage(replace(services, pictures=lambda: gallery))
    show(made)
    made.take_desk(desk)
    loop.until(lambda: idle(made))
    return made

"""The opened audit of the audits page, with a gallery that fetches its photos."""

from dataclasses import replace

import pytest

from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.ui.audits.opened.opened_audit import AuditView
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.widgets.bars.message_bar import MessageBar
from tests.ui.conftest import Show


@pytest.fixture
def services_with_pictures(services: PageServices, gallery: Gallery, window_desk: Desk) -> PageServices:
    gallery.take_desk(window_desk)
    return replace(services, pictures=lambda: gallery)


@pytest.fixture
def view(services_with_pictures: PageServices, show: Show, window_desk: Desk) -> AuditView:
    services = services_with_pictures
    made = AuditView(services, Tasks(services.sink, "test"), MessageBar(services.theme))
    show(made)
    made.take_desk(window_desk)
    return made

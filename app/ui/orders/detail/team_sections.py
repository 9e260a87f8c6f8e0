"""What the others of a team did with an order, as sections of its details. Imported only where there is a team."""

from app.desk.desk import Desk
from app.desk.team.others_orders import order_story
from app.desk.team_side import CHANGING
from app.ui.orders import orders_words as words
from app.ui.orders.order_sections import Section
from app.ui.orders.team_story import story_sections


async def team_sections(desk: Desk, reference: str) -> list[Section]:
    """Who is changing the order now, two versions of it, and who sent, changed and cancelled it, the latest first.

    Moments are those of the other desk's own clock. Raises `StoreError`.
    """
    story = await order_story(desk, reference)
    people = () if desk.team is None else desk.team.at_work(CHANGING).get(reference, ())
    found = [Section(words.RIGHT_NOW, (("", words.is_changing(people)),))] if people else []
    return [*found, *story_sections(story)]

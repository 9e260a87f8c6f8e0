"""What the others of a team did with an order, as sections of its details. Imported only where there is a team."""

from app.desk.desk import Desk
from app.desk.team.others_orders import Conflict, order_story
from app.desk.team_side import CHANGING
from app.store.sqlite.text_values import local
from app.store.team.team_file import OthersWrite
from app.ui.entry.form.entry_form import issue_place
from app.ui.orders import orders_words as words
from app.ui.orders.order_sections import Section
from app.ui.outbox.outbox_words import KIND_WORDS, STATE_LOOK, state_word
from app.ui.widgets.text.times import moment

_SHOWN = 12


async def team_sections(desk: Desk, reference: str) -> list[Section]:
    """Who is changing the order now, two versions of it, and who sent, changed and cancelled it, the latest first.

    Moments are those of the other desk's own clock. Raises `StoreError`.
    """
    story = await order_story(desk, reference)
    people = () if desk.team is None else desk.team.at_work(CHANGING).get(reference, ())
    found = [Section(words.RIGHT_NOW, (("", words.is_changing(people)),))] if people else []
    if story.conflict is not None:
        found.append(_two_versions(story.conflict))
    if story.writes:
        found.append(Section(words.SENT_BY_TEAM, tuple(_line(each) for each in story.writes[:_SHOWN])))
    return found


def _line(write: OthersWrite) -> tuple[str, str]:
    state = f"{STATE_LOOK[write.state][0]} {words.kind_and_state(KIND_WORDS[write.kind], state_word(write.state))}"
    return moment(local(write.changed_at)), words.by_person(state, write.person)


def _two_versions(conflict: Conflict) -> Section:
    person = conflict.theirs.person
    lines = [("", words.both_sent(person))]
    if conflict.differences is None:
        lines.append(("", words.versions_not_compared(person)))
    else:
        lines += [
            (issue_place(each.path), words.two_versions(each.before, person, each.after))
            for each in conflict.differences[:_SHOWN]
        ]
        if len(conflict.differences) > _SHOWN:
            lines.append(("", words.more_versions(len(conflict.differences) - _SHOWN)))
    return Section(words.TWO_VERSIONS, tuple(lines))

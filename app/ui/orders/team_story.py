"""What the others of a team did with an order, as sections for its details and its case file. Imported only where there
is a team."""

from app.desk.team.others_orders import Conflict, OrderStory
from app.store.sqlite.text_values import local
from app.store.team.team_file import OthersWrite
from app.ui.entry.form.entry_form import issue_place
from app.ui.orders import orders_words as words
from app.ui.orders.order_sections import Section
from app.ui.outbox.outbox_words import KIND_WORDS, STATE_LOOK, state_word
from app.ui.widgets.text.times import moment

_SHOWN = 12


def story_sections(story: OrderStory) -> list[Section]:
    """Two versions of an order, and who sent, changed and cancelled it, the latest first."""
    found: list[Section] = []
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

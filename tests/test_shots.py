"""Which scenes are played for some pictures: a scene goes on from those before it in its file."""

from tests.shots.__main__ import with_those_before
from tests.shots.audit_scenes import AUDIT_SCENES, audit_said, audits_list
from tests.shots.console_scenes import CONSOLE_SCENES
from tests.shots.scenes import SCENES


def test_a_scene_is_played_after_those_before_it_in_its_file() -> None:
    played = with_those_before((audit_said, CONSOLE_SCENES[1]))
    assert played == [*AUDIT_SCENES[: AUDIT_SCENES.index(audit_said) + 1], *CONSOLE_SCENES[:2]]
    assert played[0] is audits_list, "which opens the page"


def test_all_scenes_are_played_once_and_in_order() -> None:
    assert with_those_before(SCENES) == list(SCENES)

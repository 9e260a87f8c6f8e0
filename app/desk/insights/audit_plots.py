"""The plots of audits: scores by facility, and poor answers by question."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from app.desk.audits.answer_grades import judge, scale_of
from app.desk.audits.audit_filter import Narrowing
from app.desk.audits.scores import figure, top_of
from app.desk.filter.filter_dates import written_days
from app.desk.forecast.quantiles import quantile
from app.desk.insights import insights_words as words
from app.desk.insights.insight_choice import InsightChoice
from app.desk.insights.order_plots import LEAST_FOR_SHARE, MOST_ROWS, Read
from app.desk.insights.plot_data import LeftOut, Mark, Place, Plot, Series, Target
from app.store.cache.counts.audit_counts import Answered, Missing, Scored, audit_answers, audit_scores, count_missing
from app.store.sqlite.search_text import plain

_FINE = 100  # scores are counted in hundredths
_AT_ONCE = 500


@dataclass(slots=True)
class AuditPlots:
    """Makes the plots of audits of one choice. The delivery types of orders do not narrow audits."""

    read: Read
    profile: str
    choice: InsightChoice
    today: date
    step: Callable[[], None] = lambda: None

    def all(self) -> list[Plot]:
        """Both plots."""
        span = self.choice.span(self.today)
        scored: list[Scored] = self.read(audit_scores, self.profile, *span)
        answers: list[Answered] = self.read(audit_answers, self.profile, *span)
        counted: list[Missing] = self.read(count_missing, self.profile, *span)
        missing = [each for each in counted if self._wanted(each.facility)]
        unscored, unopened = sum(each.unscored for each in missing), sum(each.unopened for each in missing)
        return [
            self.by_facility([each for each in scored if self._wanted(each.facility)], unscored),
            self.by_question([each for each in answers if self._wanted(each.facility)], unopened),
        ]

    def _wanted(self, facility: str) -> bool:
        return not self.choice.facilities or plain(facility) in map(plain, self.choice.facilities)

    @property
    def _days(self) -> str:
        return written_days(*self.choice.span(self.today))

    def by_facility(self, scored: list[Scored], unscored: int) -> Plot:
        """Quantiles of the scores of each facility, the lowest first."""
        by_facility: dict[str, Counter[int]] = {}
        for each in scored:
            by_facility.setdefault(each.facility, Counter())[round(each.score * _FINE)] += 1
        marks: dict[str, Mark] = {}
        for facility, counted in by_facility.items():
            if counted.total() >= LEAST_FOR_SHARE:
                low, middle, high = (quantile(counted, tenths) / _FINE for tenths in (1, 5, 9))
                said = words.score_quantiles(figure(middle), counted.total())
                narrowing = Narrowing(facility=(facility,), days=self._days) if facility else None
                target = None if narrowing is None else Target(audits=narrowing)
                marks[facility] = Mark(middle, said, low, high, target, cases=counted.total())
        shown = sorted(marks.items(), key=lambda each: (each[1].value, each[0]))[:MOST_ROWS]
        left_out = [LeftOut(words.audits_without_score(unscored))] if unscored else []
        if silent := tuple(sorted(by_facility.keys() - marks.keys())):
            # The filter of audits has no word for those without a facility.
            rows = None if "" in silent else Target(audits=Narrowing(facility=silent, days=self._days))
            left_out.append(LeftOut(words.facilities_too_few_audits(len(silent), LEAST_FOR_SHARE), rows))
        if len(marks) > len(shown):
            left_out.append(LeftOut(words.facilities_not_shown(len(marks) - len(shown))))
        top = top_of(max((each.score for each in scored), default=None))
        return Plot(
            "audit_facilities", "ranges", "score", words.SCORES_BY_FACILITY, words.scores_definition(LEAST_FOR_SHARE),
            [Place(words.facility(name), words.facility(name), (words.facility(name),)) for name, _ in shown],
            [Series(words.SCORES_BY_FACILITY, [mark for _, mark in shown])] if shown else (),
            left_out, "" if shown else words.too_few_audits(len(scored), LEAST_FOR_SHARE), top,
            axis=(words.FACILITY,),
        )  # fmt: skip

    def by_question(self, answers: list[Answered], unopened: int) -> Plot:
        """The share of low and failed answers of each question, the highest first."""
        graded, poor = self._grades(answers)
        texts = {each.question: each.text for each in answers}
        marks = {
            question: Mark(
                100 * poor[question] / number,
                words.share(poor[question], number),
                target=Target(audits=Narrowing(facility=self.choice.facilities, days=self._days), question=question),
                cases=number,
            )
            for question, number in graded.items()
            if number >= LEAST_FOR_SHARE
        }
        shown = sorted(marks.items(), key=lambda each: (-each[1].value, each[0]))[:MOST_ROWS]
        left_out = [LeftOut(words.audits_not_opened(unopened))] if unopened else []
        if silent := sum(number < LEAST_FOR_SHARE for number in graded.values()):
            left_out.append(LeftOut(words.questions_too_few(silent, LEAST_FOR_SHARE)))
        if len(marks) > len(shown):
            left_out.append(LeftOut(words.questions_not_shown(len(marks) - len(shown))))
        places = [Place(*2 * (words.question(name, texts[name]),), (name, texts[name])) for name, _ in shown]
        return Plot(
            "audit_questions", "bars", "percent", words.POOR_BY_QUESTION, words.questions_definition(LEAST_FOR_SHARE),
            places, [Series(words.POOR_BY_QUESTION, [mark for _, mark in shown])] if shown else (),
            left_out, "" if shown else words.too_few_answers(graded.total(), unopened, LEAST_FOR_SHARE),
            axis=words.QUESTION,
        )  # fmt: skip

    def _grades(self, answers: list[Answered]) -> tuple[Counter[str], Counter[str]]:
        """How many answers of each question have a grade, and how many of those are low or failed."""
        graded, poor = Counter[str](), Counter[str]()
        for place, (_, some) in enumerate(groupby(answers, key=lambda each: each.number)):
            if place % _AT_ONCE == 0:
                self.step()
            # Each audit by itself: the scale of its answers is found in them.
            one = list(some)
            scale = scale_of(each.answer for each in one)
            for each in one:
                grade = judge(each.answer, scale)
                graded[each.question] += bool(grade)
                poor[each.question] += grade in ("low", "failed")
        return graded, poor

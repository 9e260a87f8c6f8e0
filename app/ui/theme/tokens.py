"""Every colour and size of the program. Nothing else names one.

Contrast, computed by a test: each ink on each ground it may stand on meets WCAG AA (4.5:1), borders of controls 3:1. In
the themes of high contrast each ink meets AAA (7:1), and every line 3:1.
"""

from typing import NamedTuple


class Colours(NamedTuple):
    """One theme's colours, `#RRGGBB`."""

    ground: str
    surface: str
    raised: str
    line: str
    border: str  # of what can be typed into, pressed or moved: 3:1 against all that may surround it
    ink: str
    ink_soft: str
    accent: str
    on_accent: str
    selection: str
    match: str  # behind a word that a search has found
    good: str
    warn: str
    bad: str
    practice: str = "#F2B33D"
    on_practice: str = "#2B1D00"


LIGHT = Colours(
    ground="#F5F6F8",
    surface="#FFFFFF",
    raised="#EEF1F5",
    line="#D8DEE6",
    border="#7C8797",
    ink="#141A22",
    ink_soft="#546072",
    accent="#0B5CAD",
    on_accent="#FFFFFF",
    selection="#EBF4FF",
    match="#FFE9A8",
    good="#1B7F4B",
    warn="#9A6200",
    bad="#B3261E",
)
DARK = Colours(
    ground="#14171C",
    surface="#1B1F26",
    raised="#242A33",
    line="#2F3742",
    border="#75808F",
    ink="#E7EAEE",
    ink_soft="#9BA6B4",
    accent="#6AAEFF",
    on_accent="#0B1826",
    selection="#22344A",
    match="#453705",
    good="#5CC98D",
    warn="#E2B04A",
    bad="#FF8A80",
)
LIGHT_CONTRAST = Colours(
    ground="#FFFFFF",
    surface="#FFFFFF",
    raised="#EDEDED",
    line="#595959",
    border="#000000",
    ink="#000000",
    ink_soft="#464646",
    accent="#003A8C",
    on_accent="#FFFFFF",
    selection="#D6E4FF",
    match="#FFE066",
    good="#00491F",
    warn="#573600",
    bad="#850000",
)
DARK_CONTRAST = Colours(
    ground="#000000",
    surface="#000000",
    raised="#1C1C1C",
    line="#A6A6A6",
    border="#FFFFFF",
    ink="#FFFFFF",
    ink_soft="#C4C4C4",
    accent="#8FC7FF",
    on_accent="#000000",
    selection="#002B57",
    match="#3D3000",
    good="#7DF0B3",
    warn="#FFD466",
    bad="#FFB8B0",
)
# The themes by their names. The names stand in the names of the pictures for the style sheet too.
THEMES = {"light": LIGHT, "dark": DARK, "light-contrast": LIGHT_CONTRAST, "dark-contrast": DARK_CONTRAST}


def is_dark(colours: Colours) -> bool:
    """Whether light text stands on a dark ground."""
    return colours in (DARK, DARK_CONTRAST)


# What connections are told apart by beside their names, in light and in dark themes. None is the colour of
# practice, of a warning or of an error.
CONNECTION_COLOURS: dict[str, tuple[str, str]] = {
    "blue": ("#1465C0", "#5FA8F5"),
    "teal": ("#0B7A75", "#45C4BC"),
    "green": ("#3F7A1C", "#93CF5C"),
    "violet": ("#6A3FD0", "#B49BFF"),
    "magenta": ("#A8246F", "#FF8CC6"),
    "brown": ("#85552A", "#D3A87C"),
}

# Glyph and colour of each order state; the word comes from the contract.
STATE_LOOKS: dict[str, tuple[str, str]] = {
    "STD": ("○", "ink_soft"),
    "AVL": ("◔", "accent"),
    "PLN": ("◑", "accent"),
    "DSO": ("▶", "warn"),
    "CMP": ("✓", "good"),
    "CAN": ("✕", "bad"),
}
UNKNOWN_STATE_LOOK = ("·", "ink_soft")

SPACE_1, SPACE_2, SPACE_3, SPACE_4, SPACE_5 = 4, 8, 12, 16, 24
RADIUS = 6
FIELD_RADIUS = 4
ROW_HEIGHT, COMPACT_ROW_HEIGHT = 30, 24
TEXT_SIZES = (80, 90, 100, 110, 125, 150)  # per cent
TODAY_LINE_HEIGHT, TODAY_GROUP_HEIGHT = 48, 36
LIST_ROW_HEIGHT = 26  # of lists to tick and to choose from
BODY_PX = 13
SMALL_PX = 12
HEADING_PX = 15
TITLE_PX = 18
ICON_PX = 18
RAIL_WIDTH = 152
DETAIL_WIDTH = 430
MESSAGE_WIDTH = 660  # of a message over a page, at most: beside an order it stays within the table
DETAIL_MIN_WIDTH = 340
DETAIL_LOW = 480  # below that the head of an order scrolls with its details
SUBMIT_RAIL_WIDTH = 280
FORM_TWO_COLUMNS = 1_010  # of the form, from which on freight stands beside the consignee
SUBMIT_RAIL_LOW = 440  # below that the totals scroll with the issues
SUBMIT_RAIL_SHORT = 600  # below that the last scan alone is shown: three would leave no room for the issues
OFFER_WIDTH = 520
SETTINGS_WIDTH = 860
FIELD_MIN_WIDTH = 96
EDGE_PX = 3
PROFILE_WIDTH = 240
WINDOW_SIZE = (1280, 800)
WINDOW_LEAST = (950, 490)  # a screen of 1920×1080 at 200 %, less its bars
LABEL_WIDTH = 128
QUESTION_WIDTH = 320
START_WINDOW_WIDTH = 560
TINT_ALPHA = 26  # of 255: a wash of a colour behind text, so thin that the text keeps its contrast
FRAME_AWAY = 64  # of the screen, for the frame and title that the system gives a window
PRINT_CONTROLS_WIDTH = 320
PRINT_PREVIEW_SIZE = (340, 400)
PRINT_REFUSALS_HEIGHT = 96
TALLY_HEIGHT = 24
BAR_PX = 6
FOCUS_PX = 2
REST_LEAST_WIDTH = 150
COLUMN_LEAST, COLUMN_MOST = 36, 1_200
COLUMN_STEP = 12  # by which a key makes a column wider
DOT_PX = 5
COLUMNS_DIALOG_SIZE = (440, 560)
RESULTS_SIZE = (820, 460)
PLOT_HEIGHT = 196
PLOT_LOW_HEIGHT = 96  # where the list below it would have hardly a row
PLOT_DOT_PX = 5
PLOT_MARK_PX, PLOT_BAR_PX, PLOT_ROW_PX = 8, 14, 24  # a point, a bar, and a row of bars
PLOT_CARD_HEIGHT, PLOT_CARD_WIDTH = 220, 420  # of a plot among others, at least
PLOT_EMPTY_HEIGHT = 150  # in the place of a plot that has nothing to show
PLOT_FILE_WIDTH = 720  # of a plot in a file
RANKS_WIDTH = 300
VIEWS_LEAST_WIDTH = 260  # of the tabs of views: below that they stand in a line of their own
SCORE_BAR_WIDTH = 72
PALETTE_WIDTH = 640
REPORT_WIDTH, REPORT_HEIGHT = 760, 560
KEYS_WIDTH = 1280
ANSWER_HEIGHT = 46
QUESTIONS_WIDTH = 380
TILE_WIDTH, TILE_PICTURE_HEIGHT = 120, 84  # a document among others
LOUPE_PX = 240
NAVIGATOR_PX = 140
THUMB_SIZE = (96, 72)
STRIP_HEIGHT = 92
STRIP_DOT_PX = 9  # on a photo whose answer is low or failed
LOW_THUMB_SIZE, VIEWER_LOW = (56, 42), 460  # in a viewer that is lower than this
CHIP_PANEL_WIDTH = 320
SWATCH_PX = 12
WORDS_SIZE = (220, 30)
SEARCH_LEAST_WIDTH = 120
ATTENTION_SIZE = (760, 640)
PASTED_SIZE = (480, 420)
NUMBER_COLUMN = 110  # a column of numbers in a form that is made from a shape
NAME_COLUMN = 180
ANSWER_NAME_WIDTH, ANSWER_VALUE_WIDTH = 260, 260
CONSOLE_LIST_WIDTH = 272
CONSOLE_FORM_WIDTH = 300
CONSOLE_LOW = 520  # below that a request and its answer are shown one at a time
CONSOLE_HEIGHTS = (480, 340)  # of the request and the answer, as shares
CONSOLE_NARROW = 700  # a request that is narrower shows its form or its JSON, not both
LOADS_WIDTH = 240
SLOTS_SIZE = (820, 600)
FIXED_VALUES_SIZE, TRANSLATIONS_SIZE = (620, 560), (560, 460)

"""Desktop notices as a person meets them: shown by the system, clicked, and led to their place.

    notice_service   what joins the parts of this folder with the noticer and the pages
    desktop_notices  hands a notice to whatever shows notices here, and says what that is
    bus_notices      Linux: org.freedesktop.Notifications over D-Bus, on a thread of its own
    tray_notices     a tray icon; where nothing else shows notices (Windows, macOS), it does

Begin with `notice_service`. What is noticed, and when, is `background/noticer`. Imported by `ui/shell`, after the first
paint, and by `ui/settings`.
"""

"""The settings page. Begin with `settings_page`.

settings_page     the connections, the theme, the data folder
connect_form      the form for a connection
capability_card   the result of a connection test
journal_section   backup, restore, deleting old entries
updates_section   newer versions of the program
settings_words    all sentences
"""

"""Newer versions of the program, from a file that a company hosts. Begin with `version_list`.

version_list      the signed list of versions: who signed it, whether it is the newest, what of it is for this computer
update_source     the address of the list and the keys that are believed, and who gave them
ask_for_update    asks for the list, as the connection in use travels
download_update   fetches a package, goes on with what broke off, and holds it to the list
this_program      how the program was installed, and who can replace it
updates_words     all sentences

Invariants: nothing is asked unless a person or the administrator has given the address. Nothing of a list is believed
before its signature was checked, and nothing of a package before its digest was. Used by `background/updater`.
"""

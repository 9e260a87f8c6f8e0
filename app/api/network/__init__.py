"""How the calls of one connection travel: proxy, trusted authorities, format of replies. Used by `api` and `desk`.

transport       the settings, and the checks of what a person types for them; standard library only
trust           TLS contexts: the operating system's authorities, and those of a file
proxy_login     HTTP clients through a proxy; stops asking one that refuses its login
connection_pool workarounds for the HTTP library's pool of connections
way             walks the way to an address leg by leg: name, connection, proxy, TLS
update_site     the files of a place where a company hosts newer versions
network_words   the sentences
"""

"""How the provider's services are called: HTTP lives here and nowhere else. No Qt, no disk.

provider            everything of one connection: its clients, its token, its two services. Begin here
information_service, management_service    one method for each operation; `raw_call` for calls by hand
wire, retry, auth   one exchange, the retries of a read, the token that all calls share
answers, reply, errors    what an answer means, and the tree of errors
carry               sends one request and knows whether a byte of it left
addresses, links    where the services are and what a call needs; pictures and files by their address
lists/              long lists, read while they arrive
network/            proxy, certificates, the way to an address
"""

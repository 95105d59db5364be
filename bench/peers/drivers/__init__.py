"""One module for each peer: a function `find` that does with the peer what its users do, on its fastest documented path."""

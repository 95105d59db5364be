"""One module for each peer: `find` does with the peer what its users do, on its fastest documented path."""

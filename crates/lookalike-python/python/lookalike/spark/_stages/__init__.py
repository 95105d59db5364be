"""The stages of a job, in the order in which documents pass through them:

=============== ==================================================== ==========================================
corpus          texts: sets, numbers by order, copies                map, sort, one exchange of hashes
keys            sets: blocking keys                                  map
shared          keys: entries of shared keys                         exchange of packed entries
rounds          entries: buckets, pairs of leaders and followers     exchange by key
refine          buckets that hold too many pairs: finer ones         exchange by key and rare element
verify          pairs: exact similarities                            sets to the parts of their pairs
keepers         pairs: which document stays in whose place           rounds, the rest in one task
components      pairs: the first document of each component          forests, the rest in one task
recall          sets: near-duplicates of a sample                    map
=============== ==================================================== ==========================================
"""

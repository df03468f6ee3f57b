x = 1
if x:
	y
	zelse:  w \
  + 1 # c

"""a
b"""

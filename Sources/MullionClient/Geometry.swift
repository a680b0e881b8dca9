// Points, sizes, rectangles and transforms: a program that imports the client library has them, too.

@_exported public import Geometry

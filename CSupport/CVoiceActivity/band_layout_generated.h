/* Written by Scripts/generate_tables.py: change that, not this. First bin and blocks of 8 of each band. */
#define VA_BAND_FIRST {2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 39, 42, 45, 49, 53, 57, 61, 66, 71, 77, 83, 90, 97, 105, 113, 122, 132, 142, 153, 165, 179, 193}
#define VA_BAND_BLOCKS {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4}

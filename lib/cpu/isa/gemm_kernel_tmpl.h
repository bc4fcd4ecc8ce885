/* SPDX-License-Identifier: MIT */
/* The inner product of packed panels for one computed type: P is the element,
   V a vector of it, MADD(acc, a, b) one step, ADD(a, b) the sum of two, PN(x)
   names.  A tile of ROWS lines by three vectors keeps its sums in
   registers. */

MX_INLINE void PN(tile)(const void *a, const void *b, void *c, ptrdiff_t ldc,
    size_t k, int add, const int rows, const int nv)
{
    const P *x = a;
    const V *y = b;
    P *out = c;
    V acc[ROWS][3];
    MX_UNROLL
    for (int i = 0; i < rows; i++)
        MX_UNROLL
        for (int j = 0; j < nv; j++) {
            acc[i][j] = (V){ 0 };
            __builtin_prefetch(out + i * ldc + j * LANES, 1);
        }
    for (; k > 0; k--, x += rows, y += nv) {
        V line[3];
        MX_UNROLL
        for (int j = 0; j < nv; j++)
            line[j] = y[j];
        MX_UNROLL
        for (int i = 0; i < rows; i++) {
            V all = x[i] - (V){ 0 };
            MX_UNROLL
            for (int j = 0; j < nv; j++)
                acc[i][j] = MADD(acc[i][j], all, line[j]);
        }
    }
    MX_UNROLL
    for (int i = 0; i < rows; i++)
        MX_UNROLL
        for (int j = 0; j < nv; j++) {
            P *to = out + i * ldc + j * LANES;
            V sum = acc[i][j];
            if (add) {
                V old;
                memcpy(&old, to, sizeof old);
                sum = ADD(old, sum);
            }
            memcpy(to, &sum, sizeof sum);
        }
}

#define TILE(sym, rows, nv) \
    static void PN(sym##nv)(const void *a, const void *b, void *c, \
        ptrdiff_t ldc, size_t k, int add) \
    { PN(tile)(a, b, c, ldc, k, add, rows, nv); }
TILE(half, ROWS / 2, 1)
TILE(half, ROWS / 2, 2)
TILE(half, ROWS / 2, 3)
TILE(full, ROWS, 1)
TILE(full, ROWS, 2)
TILE(full, ROWS, 3)
#undef TILE

MX_INLINE void PN(fill)(struct mx_gemm_kernel *g)
{
    *g = (struct mx_gemm_kernel){
        .run = { { PN(half1), PN(half2), PN(half3) },
            { PN(full1), PN(full2), PN(full3) } },
        .rows = ROWS,
        .lanes = (uint16_t)LANES,
        .size = sizeof(P),
        .depth = 1,
        .kc = KC_BYTES / sizeof(P),
    };
}

/* SPDX-License-Identifier: MIT */
/* Derivatives and batching where others got them wrong, by hand. */
#include "pitfalls.h"

#define ARRAYS(...) (mlxc_array *const[]){ __VA_ARGS__ }

static mlxc_array *sorted(mlxc_array *const *x)
{
    return mlxe_sort(c, x[0], 0);
}

START_TEST(test_gradient_of_sort_scatters)
{
    mlxc_array *x = laid(v(MLXC_FLOAT32, 5, D(3, 1, 2, 5, 4)), _i);
    is(cotangent(sorted, 1, &x, laid(v(MLXC_FLOAT32, 5, D(10, 20, 30, 40,
        50)), _i), 0), 5, D(30, 10, 20, 50, 40));
}
END_TEST

static mlxc_array *power(mlxc_array *const *x)
{
    return mlxe_power(c, x[0], x[1]);
}

START_TEST(test_tangents_of_power)
{
    mlxc_array *x[2] = { mlxe_scalar(c, 2, MLXC_FLOAT64), mlxe_scalar(c, 3,
        MLXC_FLOAT64) };
    mlxc_array *one = mlxe_scalar(c, 1, MLXC_FLOAT64);
    mlxc_array *none = mlxe_scalar(c, 0, MLXC_FLOAT64);
    near(tangent(power, 2, x, ARRAYS(one, one)), 1, D(17.545177444479563),
        1e-14);
    near(tangent(power, 2, x, ARRAYS(one, none)), 1, D(12), 1e-14);
    near(tangent(power, 2, x, ARRAYS(none, one)), 1, D(5.545177444479562),
        1e-14);
}
END_TEST

static mlxc_array *angle(mlxc_array *const *x)
{
    return mlxe_arctan2(c, x[0], mlxe_scalar(c, 2, MLXC_FLOAT32));
}

static mlxc_array *put(mlxc_array *const *x)
{
    mlxc_array *base = v(MLXC_FLOAT32, 4, D(1, 1, 1, 1));
    return mlxe_slice_update(c, base, x[0], L(1), L(3), NULL, 1);
}

START_TEST(test_tangents_of_some_inputs)
{
    mlxc_array *y = mlxe_scalar(c, 1, MLXC_FLOAT32);
    near(tangent(angle, 1, &y, &y), 1, D(0.4), 1e-7);
    mlxc_array *u = laid(v(MLXC_FLOAT32, 2, D(5, 6)), _i);
    mlxc_array *t = laid(v(MLXC_FLOAT32, 2, D(7, 8)), _i);
    is(tangent(put, 1, &u, &t), 4, D(0, 7, 8, 0));
}
END_TEST

static mlxc_array *squared(mlxc_array *const *x)
{
    return mlxe_square(c, x[0]);
}

static mlxc_array *size(mlxc_array *const *x)
{
    return mlxe_abs(c, x[0]);
}

START_TEST(test_complex_gradients_are_conjugate)
{
    mlxc_array *x = laid(z(1, D(1, 2)), _i), *one = z(1, D(1, 0));
    parts(cotangent(squared, 1, &x, one, 0), 1, D(2, -4), 0);
    x = laid(z(1, D(3, 4)), _i);
    mlxc_array *t = tangent(size, 1, &x, &one);
    typed(t, MLXC_FLOAT32);
    near(t, 1, D(0.6), 1e-7);
    parts(cotangent(size, 1, &x, v(MLXC_FLOAT32, 1, D(1)), 0), 1,
        D(0.6, 0.8), 1e-7);
}
END_TEST

static mlxc_array *logsum(mlxc_array *const *x)
{
    return mlxe_logsumexp(c, x[0], A(-1), 1, true);
}

START_TEST(test_tangent_of_logsumexp)
{
    mlxc_array *x = laid(m(MLXC_FLOAT32, 1, 3, D(1, 2, 3)), _i);
    mlxc_array *t = laid(m(MLXC_FLOAT32, 1, 3, D(1, 0, -1)), _i);
    mlxc_array *y = tangent(logsum, 1, &x, &t);
    shaped(y, 2, L(1, 1));
    near(y, 1, D(-0.5752104), 1e-6);
}
END_TEST

static mlxc_array *branch(mlxc_array *const *x)
{
    mlxc_array *one = mlxe_scalar(c, 1, MLXC_FLOAT32);
    return mlxe_sum(c, mlxe_where(c, mlxe_less(c, x[0], one), mlxe_cos(c,
        x[0]), mlxe_scalar(c, 0, MLXC_FLOAT32)), NULL, 0, false);
}

static mlxc_array *masked(mlxc_array *const *x)
{
    return mlxe_where(c, mlxe_greater(c, x[0], mlxe_scalar(c, 0,
        MLXC_FLOAT32)), mlxe_sqrt(c, x[0]), mlxe_scalar(c, 0,
        MLXC_FLOAT32));
}

START_TEST(test_branch_not_taken_leaves_no_nan)
{
    mlxc_array *x = laid(v(MLXC_FLOAT32, 2, D(0, INFINITY)), _i);
    near(cotangent(branch, 1, &x, mlxe_scalar(c, 1, MLXC_FLOAT32), 0), 2,
        D(0, 0), 0);
    x = laid(m(MLXC_FLOAT32, 1, 3, D(-INFINITY, -INFINITY, -INFINITY)),
        _i);
    near(cotangent(logsum, 1, &x, m(MLXC_FLOAT32, 1, 1, D(1)), 0), 3,
        D(0, 0, 0), 0);
    x = laid(v(MLXC_FLOAT32, 3, D(0, -1, 4)), _i);
    near(cotangent(masked, 1, &x, v(MLXC_FLOAT32, 3, D(1, 1, 1)), 0), 3,
        D(0, 0, 0.25), 1e-7);
    near(tangent(masked, 1, &x, ARRAYS(v(MLXC_FLOAT32, 3, D(0, 0, 1)))), 3,
        D(0, 0, 0.25), 1e-7);
}
END_TEST

static mlxc_array *first(mlxc_array *const *x)
{
    return mlxe_partition(c, x[0], 0, 0);
}

static mlxc_array *where_first(mlxc_array *const *x)
{
    return mlxe_argpartition(c, x[0], 0, 0);
}

START_TEST(test_mapped_partition_keeps_its_place)
{
    mlxc_array *x = laid(m(MLXC_FLOAT32, 2, 3, D(3, 1, 2, 9, 8, 7)), _i);
    mlxc_array *y = mapped(first, 1, &x, A(0));
    is(mlxe_slice(c, y, L(0, 0), L(2, 1), NULL, 2), 2, D(1, 7));
    y = mapped(where_first, 1, &x, A(0));
    is(mlxe_slice(c, y, L(0, 0), L(2, 1), NULL, 2), 2, D(1, 2));
    x = laid(m(MLXC_FLOAT32, 3, 2, D(3, 9, 1, 8, 2, 7)), _i);
    y = mapped(first, 1, &x, A(1));
    is(mlxe_slice(c, y, L(0, 0), L(2, 1), NULL, 2), 2, D(1, 7));
}
END_TEST

static mlxc_array *along(mlxc_array *const *x)
{
    return mlxe_take_along_axis(c, x[0], x[1], 0);
}

START_TEST(test_mapped_indices_of_a_shared_array)
{
    mlxc_array *x[2] = { laid(count(MLXC_FLOAT32, L(4, 5, 3), 3), _i),
        laid(mlxe_zeros(c, L(2, 2, 1, 3), 4, MLXC_INT32), _i) };
    mlxc_array *y = mapped(along, 2, x, A(MLXC_UNMAPPED, 0));
    shaped(y, 4, L(2, 2, 5, 3));
    same(y, mlxe_broadcast_to(c, mlxe_slice(c, x[0], L(0, 0, 0),
        L(1, 5, 3), NULL, 3), L(2, 2, 5, 3), 4), 0);
}
END_TEST

static mlxc_array *filled(mlxc_array *const *x)
{
    return mlxe_sum(c, mlxe_full(c, L(2, 3), 2, x[0], MLXC_FLOAT32), NULL,
        0, false);
}

START_TEST(test_gradient_of_full_counts)
{
    mlxc_array *x = mlxe_scalar(c, 7, MLXC_FLOAT32);
    is(cotangent(filled, 1, &x, mlxe_scalar(c, 1, MLXC_FLOAT32), 0), 1,
        D(6));
}
END_TEST

static mlxc_array *half_stopped(mlxc_array *const *x)
{
    return mlxe_multiply(c, x[0], mlxe_stop_gradient(c, mlxe_square(c,
        x[0])));
}

/* Derivatives take no notice, forward, backward, batched and twice. */
START_TEST(test_stopped_gradient)
{
    mlxc_array *x = laid(v(MLXC_FLOAT32, 2, D(3, -2)), _i);
    mlxc_array *t = laid(v(MLXC_FLOAT32, 2, D(1, 10)), _i);
    is(half_stopped(&x), 2, D(27, -8));
    is(cotangent(half_stopped, 1, &x, t, 0), 2, D(9, 40));
    is(tangent(half_stopped, 1, &x, &t), 2, D(9, 40));
    is(mapped(half_stopped, 1, &x, A(0)), 2, D(27, -8));
}
END_TEST

static mlxc_array *bits(mlxc_array *const *x)
{
    return mlxe_view(c, x[0], MLXC_UINT16);
}

START_TEST(test_mapped_bits)
{
    mlxc_array *x = laid(m(MLXC_FLOAT32, 3, 2, D(1, 2, 3, 4, 5, 6)), _i);
    mlxc_array *y = mapped(bits, 1, &x, A(0));
    same(y, mlxe_view(c, x, MLXC_UINT16), 0);
    y = mapped(bits, 1, &x, A(1));
    shaped(y, 2, L(2, 6));
    same(y, mlxe_view(c, mlxe_transpose(c, x, NULL, 0), MLXC_UINT16), 0);
}
END_TEST

TCase *pitfalls_transforms(void)
{
    TCase *t = scoped("transforms");
    tcase_add_loop_test(t, test_gradient_of_sort_scatters, 0, LAYOUTS);
    tcase_add_test(t, test_tangents_of_power);
    tcase_add_loop_test(t, test_tangents_of_some_inputs, 0, LAYOUTS);
    tcase_add_loop_test(t, test_complex_gradients_are_conjugate, 0,
        LAYOUTS);
    tcase_add_loop_test(t, test_tangent_of_logsumexp, 0, LAYOUTS);
    tcase_add_loop_test(t, test_branch_not_taken_leaves_no_nan, 0,
        LAYOUTS);
    tcase_add_loop_test(t, test_mapped_partition_keeps_its_place, 0,
        LAYOUTS);
    tcase_add_loop_test(t, test_mapped_indices_of_a_shared_array, 0,
        LAYOUTS);
    tcase_add_test(t, test_gradient_of_full_counts);
    tcase_add_loop_test(t, test_stopped_gradient, 0, LAYOUTS);
    tcase_add_loop_test(t, test_mapped_bits, 0, LAYOUTS);
    return t;
}

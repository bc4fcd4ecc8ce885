/* SPDX-License-Identifier: MIT */
/* Train a small network on 1,797 handwritten digits of 8 x 8 points, test it
   on a fifth that it never saw, save the weights, load them and classify.

     digits [data.safetensors [weights.safetensors]]

   The loss and the optimiser (Adam) are formulas in the expression layer; the
   gradient comes from mlxc_value_and_grad(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mlxc/expr.h>
#include <mlxc/mlxc.h>

#define POINTS 64
#define HIDDEN 256
#define CLASSES 10
#define INK 16 /* the darkest point */
#define BATCH 48
#define EPOCHS 60
#define NOISE 0.2
#define SEED 7

/* The weights, in the order of the gradient. */
enum { W1, B1, W2, B2, NWEIGHTS };
static const char *const names[NWEIGHTS] = { "w1", "b1", "w2", "b2" };
static const int argnums[NWEIGHTS] = { W1, B1, W2, B2 };

#ifndef DIGITS_DATA
#define DIGITS_DATA "digits.safetensors"
#endif

struct split {
    mlxc_array *images; /* float32 (n, 64), 0 to 1 */
    mlxc_array *labels; /* int32 (n, 1) */
    int64_t n;
};

static mlxc_status failed(const char *what)
{
    fprintf(stderr, "digits: %s: %s\n", what, mlxc_error_message());
    return MLXC_ERR_INTERNAL;
}

/* Scores of each class: two layers with a tanh between. */
static mlxc_array *scores(mlxc_scope *c, mlxc_arrays *in, mlxc_array *images)
{
    mlxc_array *h = mlxe_addmm(c, mlxc_arrays_get(in, B1), images,
        mlxc_arrays_get(in, W1), 1, 1);
    return mlxe_addmm(c, mlxc_arrays_get(in, B2), mlxe_tanh(c, h),
        mlxc_arrays_get(in, W2), 1, 1);
}

/* Mean cross-entropy; inputs: the weights, images, labels. */
static mlxc_status loss(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    const int last = -1;
    mlxc_scope *c;
    mlxc_array *out;
    (void)payload;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    mlxc_array *x = mlxc_arrays_get(inputs, NWEIGHTS);
    /* a little noise, so that it does not learn single points by heart */
    x = mlxe_add(c, x, mlxe_multiply(c, mlxe_scalar(c, NOISE, MLXC_FLOAT32),
        mlxe_random_normal(c, mlxc_array_shape(x), 2, MLXC_FLOAT32, NULL)));
    mlxc_array *s = scores(c, inputs, x);
    mlxc_array *right =
        mlxe_take_along_axis(c, s, mlxc_arrays_get(inputs, NWEIGHTS + 1), 1);
    mlxc_array *l = mlxe_subtract(c, mlxe_logsumexp(c, s, &last, 1, true),
        right);
    status = mlxc_scope_export(&out, c, mlxe_mean(c, l, NULL, 0, false));
    mlxc_scope_free(c);
    return status ? status : mlxc_arrays_push_take(outputs, out);
}

/* Share of rows whose highest score is the label. */
static mlxc_status accuracy(double *out, mlxc_arrays *weights,
    const struct split *data)
{
    mlxc_scope *c;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    mlxc_array *best =
        mlxe_argmax(c, scores(c, weights, data->images), 1, true);
    mlxc_array *right = mlxe_mean(c, mlxe_equal(c, best, data->labels), NULL,
        0, false);
    status = mlxc_scope_status(c);
    if (!status)
        status = mlxc_array_item_double(out, right);
    mlxc_scope_free(c);
    return status;
}

/* Normal numbers of deviation 1 / sqrt(rows); zeros for the biases. */
static mlxc_status initial_weights(mlxc_arrays **out, mlxc_scope *c)
{
    const int64_t s1[2] = { POINTS, HIDDEN }, s2[2] = { HIDDEN, CLASSES };
    mlxc_array *w[NWEIGHTS];
    mlxc_status status = mlxc_random_seed(SEED);
    if (status)
        return status;
    w[W1] = mlxe_multiply(c, mlxe_random_normal(c, s1, 2, MLXC_FLOAT32,
        NULL), mlxe_scalar(c, 0.125, MLXC_FLOAT32));
    w[B1] = mlxe_zeros(c, s1 + 1, 1, MLXC_FLOAT32);
    w[W2] = mlxe_multiply(c, mlxe_random_normal(c, s2, 2, MLXC_FLOAT32,
        NULL), mlxe_scalar(c, 0.088, MLXC_FLOAT32));
    w[B2] = mlxe_zeros(c, s2 + 1, 1, MLXC_FLOAT32);
    status = mlxc_scope_status(c);
    return status ? status : mlxc_arrays_from(out, w, NWEIGHTS);
}

/* One step of Adam (Kingma and Ba, 2015): moves weights, first and second
   moments on, which all are lists of NWEIGHTS. */
static mlxc_status adam(mlxc_arrays **weights, mlxc_arrays **m,
    mlxc_arrays **v, mlxc_arrays *grads, int step, double rate)
{
    double b1 = 0.9, b2 = 0.999, p1 = 1, p2 = 1;
    mlxc_array *next[3][NWEIGHTS], *all[3 * NWEIGHTS];
    mlxc_arrays **to[3] = { weights, m, v };
    mlxc_scope *c;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    for (int i = 0; i < step; i++) {
        p1 *= b1;
        p2 *= b2;
    }
    mlxc_array *k1 = mlxe_scalar(c, b1, MLXC_FLOAT32);
    mlxc_array *k2 = mlxe_scalar(c, b2, MLXC_FLOAT32);
    mlxc_array *r1 = mlxe_scalar(c, 1 - b1, MLXC_FLOAT32);
    mlxc_array *r2 = mlxe_scalar(c, 1 - b2, MLXC_FLOAT32);
    mlxc_array *speed = mlxe_scalar(c, rate / (1 - p1), MLXC_FLOAT32);
    mlxc_array *scale = mlxe_scalar(c, 1 / (1 - p2), MLXC_FLOAT32);
    mlxc_array *tiny = mlxe_scalar(c, 1e-8, MLXC_FLOAT32);
    for (int i = 0; i < NWEIGHTS; i++) {
        mlxc_array *g = mlxc_arrays_get(grads, i);
        next[1][i] = mlxe_add(c, mlxe_multiply(c, k1,
            mlxc_arrays_get(*m, i)), mlxe_multiply(c, r1, g));
        next[2][i] = mlxe_add(c, mlxe_multiply(c, k2,
            mlxc_arrays_get(*v, i)), mlxe_multiply(c, r2,
            mlxe_square(c, g)));
        mlxc_array *size = mlxe_add(c, mlxe_sqrt(c, mlxe_multiply(c, scale,
            next[2][i])), tiny);
        next[0][i] = mlxe_subtract(c, mlxc_arrays_get(*weights, i),
            mlxe_divide(c, mlxe_multiply(c, speed, next[1][i]), size));
    }
    status = mlxc_scope_status(c);
    for (int k = 0; k < 3 && !status; k++)
        memcpy(all + k * NWEIGHTS, next[k], sizeof next[k]);
    if (!status)
        status = mlxc_eval(all, 3 * NWEIGHTS);
    for (int k = 0; k < 3 && !status; k++) {
        mlxc_arrays *list;
        status = mlxc_arrays_from(&list, next[k], NWEIGHTS);
        if (!status) {
            mlxc_arrays_unref(*to[k]);
            *to[k] = list;
        }
    }
    mlxc_scope_free(c);
    return status;
}

/* A fixed shuffle of 0 to n - 1, by a plain congruential generator. */
static void shuffle(int32_t *order, int64_t n, uint64_t *state)
{
    for (int64_t i = n - 1; i > 0; i--) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        int64_t j = (int64_t)((*state >> 33) % (uint64_t)(i + 1));
        int32_t t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
}

/* The rows of `data` that `order` names. */
static mlxc_status rows(struct split *out, const struct split *data,
    const int32_t *order, int64_t n)
{
    mlxc_array *index;
    mlxc_status status =
        mlxc_array_from_data(&index, order, &n, 1, MLXC_INT32);
    if (status)
        return status;
    out->n = n;
    out->labels = NULL;
    status = mlxc_take(&out->images, data->images, index, 0, NULL);
    if (!status)
        status = mlxc_take(&out->labels, data->labels, index, 0, NULL);
    mlxc_array_unref(index);
    return status;
}

static void drop(struct split *s)
{
    mlxc_array_unref(s->images);
    mlxc_array_unref(s->labels);
    s->images = s->labels = NULL;
}

/* What the file must hold: n images of 8 x 8 points from 0 to 16, and n
   labels from 0 to 9. */
static mlxc_status check_data(mlxc_array *images, mlxc_array *labels)
{
    double most_ink = 0, most_label = 0;
    int64_t n = mlxc_array_dim(images, 0);
    if (mlxc_array_ndim(images) != 3 || mlxc_array_dim(images, 1) != 8 ||
        mlxc_array_dim(images, 2) != 8 || mlxc_array_ndim(labels) != 1 ||
        mlxc_array_dim(labels, 0) != n ||
        mlxc_array_dtype(images) != MLXC_UINT8 ||
        mlxc_array_dtype(labels) != MLXC_UINT8)
        return mlxc_error_set(MLXC_ERR_FORMAT,
            "\"images\" must be uint8 (n,8,8) and \"labels\" uint8 (n)");
    if (n < 5 * BATCH)
        return mlxc_error_set(MLXC_ERR_FORMAT, "there are too few images");
    mlxc_scope *c;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    mlxc_array *ink = mlxe_max(c, images, NULL, 0, false);
    mlxc_array *label = mlxe_max(c, labels, NULL, 0, false);
    status = mlxc_scope_status(c);
    if (!status)
        status = mlxc_array_item_double(&most_ink, ink);
    if (!status)
        status = mlxc_array_item_double(&most_label, label);
    mlxc_scope_free(c);
    if (!status && (most_ink > INK || most_label >= CLASSES))
        status = mlxc_error_set(MLXC_ERR_FORMAT,
            "a point is above 16 or a label above 9");
    return status;
}

static mlxc_status read_data(struct split *out, const char *path)
{
    mlxc_tensors *file;
    mlxc_scope *c = NULL;
    mlxc_array *images = NULL, *labels = NULL;
    mlxc_status status = mlxc_load_safetensors(&file, path, NULL);
    if (status)
        return status;
    status = mlxc_tensors_get(&images, file, "images");
    if (!status)
        status = mlxc_tensors_get(&labels, file, "labels");
    if (!status)
        status = check_data(images, labels);
    if (!status)
        status = mlxc_scope_new(&c, NULL);
    if (!status) {
        out->n = mlxc_array_dim(images, 0);
        const int64_t flat[2] = { out->n, POINTS }, one[2] = { out->n, 1 };
        mlxc_array *x = mlxe_divide(c, mlxe_astype(c, images, MLXC_FLOAT32),
            mlxe_scalar(c, INK, MLXC_FLOAT32));
        status = mlxc_scope_export(&out->images, c, mlxe_reshape(c, x, flat,
            2));
        if (!status)
            status = mlxc_scope_export(&out->labels, c, mlxe_reshape(c,
                mlxe_astype(c, labels, MLXC_INT32), one, 2));
    }
    mlxc_scope_free(c);
    mlxc_array_unref(images);
    mlxc_array_unref(labels);
    mlxc_tensors_unref(file);
    return status;
}

static mlxc_status epoch(mlxc_arrays **weights, mlxc_arrays **m,
    mlxc_arrays **v, mlxc_function *gradient, const struct split *data,
    int32_t *order, uint64_t *state, int *step, double rate,
    double *mean_loss)
{
    mlxc_status status = MLXC_OK;
    int batches = 0;
    *mean_loss = 0;
    shuffle(order, data->n, state);
    for (int64_t at = 0; at + BATCH <= data->n && !status; at += BATCH) {
        struct split part = { 0 };
        mlxc_arrays *in = NULL, *out = NULL, *grads = NULL;
        double l = 0;
        status = rows(&part, data, order + at, BATCH);
        if (!status)
            status = mlxc_arrays_new(&in);
        for (int i = 0; i < NWEIGHTS && !status; i++)
            status = mlxc_arrays_push(in, mlxc_arrays_get(*weights, i));
        if (!status)
            status = mlxc_arrays_push(in, part.images);
        if (!status)
            status = mlxc_arrays_push(in, part.labels);
        if (!status)
            status = mlxc_function_call(&out, gradient, in);
        if (!status)
            status = mlxc_arrays_new(&grads);
        for (int i = 0; i < NWEIGHTS && !status; i++)
            status = mlxc_arrays_push(grads, mlxc_arrays_get(out, i + 1));
        if (!status)
            status = adam(weights, m, v, grads, ++*step, rate);
        if (!status)
            status = mlxc_array_item_double(&l, mlxc_arrays_get(out, 0));
        *mean_loss += l;
        batches++;
        mlxc_arrays_unref(in);
        mlxc_arrays_unref(out);
        mlxc_arrays_unref(grads);
        drop(&part);
    }
    *mean_loss /= batches ? batches : 1;
    return status;
}

static mlxc_status train(mlxc_arrays **weights, const struct split *data,
    const struct split *test)
{
    mlxc_function *f = NULL, *gradient = NULL;
    mlxc_arrays *m = NULL, *v = NULL;
    mlxc_scope *c = NULL;
    mlxc_array *zero[NWEIGHTS];
    uint64_t state = SEED;
    int step = 0, tty = isatty(STDOUT_FILENO);
    int32_t *order = malloc((size_t)data->n * sizeof *order);
    mlxc_status status = order ? MLXC_OK : MLXC_ERR_NOMEM;
    for (int64_t i = 0; i < data->n && order; i++)
        order[i] = (int32_t)i;
    if (!status)
        status = mlxc_scope_new(&c, NULL);
    if (!status)
        status = initial_weights(weights, c);
    for (int i = 0; i < NWEIGHTS && !status; i++)
        zero[i] = mlxe_zeros_like(c, mlxc_arrays_get(*weights, i));
    if (!status)
        status = mlxc_scope_status(c);
    if (!status)
        status = mlxc_arrays_from(&m, zero, NWEIGHTS);
    if (!status)
        status = mlxc_arrays_from(&v, zero, NWEIGHTS);
    if (!status)
        status = mlxc_function_new(&f, loss, NULL, NULL);
    if (!status)
        status = mlxc_value_and_grad(&gradient, f, argnums, NWEIGHTS);
    for (int e = 1; e <= EPOCHS && !status; e++) {
        double l, right = 0;
        /* the step shrinks to nothing by the end */
        double rate = 0.004 * (EPOCHS - e + 1) / EPOCHS;
        status = epoch(weights, &m, &v, gradient, data, order, &state, &step,
            rate, &l);
        if (!status)
            status = accuracy(&right, *weights, test);
        if (!status && (tty || e % 5 == 0 || e == 1)) {
            printf("%sepoch %2d/%d  [%-20.*s]  loss %.4f  test %.2f %%%s",
                tty ? "\r" : "", e, EPOCHS, 20 * e / EPOCHS,
                "####################", l, 100 * right,
                tty && e < EPOCHS ? "" : "\n");
            fflush(stdout);
        }
    }
    free(order);
    mlxc_scope_free(c);
    mlxc_arrays_unref(m);
    mlxc_arrays_unref(v);
    mlxc_function_unref(f);
    mlxc_function_unref(gradient);
    return status;
}

static mlxc_status save(const char *path, mlxc_arrays *weights)
{
    mlxc_tensors *t;
    mlxc_status status = mlxc_tensors_new(&t);
    for (int i = 0; i < NWEIGHTS && !status; i++)
        status = mlxc_tensors_set(t, names[i], mlxc_arrays_get(weights, i));
    if (!status)
        status = mlxc_save_safetensors(path, t);
    mlxc_tensors_unref(t);
    return status;
}

static mlxc_status load(mlxc_arrays **out, const char *path)
{
    mlxc_tensors *t;
    mlxc_status status = mlxc_load_safetensors(&t, path, NULL);
    if (status)
        return status;
    status = mlxc_arrays_new(out);
    for (int i = 0; i < NWEIGHTS && !status; i++) {
        mlxc_array *a;
        status = mlxc_tensors_get(&a, t, names[i]);
        if (!status)
            status = mlxc_arrays_push_take(*out, a);
    }
    mlxc_tensors_unref(t);
    return status;
}

/* Print a few digits as pictures, with what the network takes them for. */
static mlxc_status show(mlxc_arrays *weights, const struct split *test)
{
    enum { SHOWN = 6 };
    static const char ink[] = " .:-=+*#%@";
    int32_t first[SHOWN];
    float points[SHOWN * POINTS];
    uint32_t guess[SHOWN];
    struct split few;
    mlxc_scope *c;
    for (int i = 0; i < SHOWN; i++)
        first[i] = i;
    mlxc_status status = rows(&few, test, first, SHOWN);
    if (status)
        return status;
    status = mlxc_scope_new(&c, NULL);
    if (!status) {
        mlxc_array *g = mlxe_argmax(c, scores(c, weights, few.images), 1,
            false);
        status = mlxc_scope_status(c);
        if (!status)
            status = mlxc_array_copy_out(g, guess, sizeof guess);
        if (!status)
            status = mlxc_array_copy_out(few.images, points, sizeof points);
        mlxc_scope_free(c);
    }
    for (int y = 0; y < 8 && !status; y++) {
        for (int i = 0; i < SHOWN; i++) {
            for (int x = 0; x < 8; x++)
                putchar(ink[(int)(points[i * POINTS + y * 8 + x] * 9)]);
            putchar(' ');
        }
        putchar('\n');
    }
    for (int i = 0; i < SHOWN && !status; i++)
        printf("   %u     ", (unsigned)guess[i]);
    putchar('\n');
    drop(&few);
    return status;
}

/* Here, or where the sources were when this was built. */
static const char *default_data(void)
{
    static const char here[] = "examples/data/digits.safetensors";
    return access(here, R_OK) ? DIGITS_DATA : here;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : default_data();
    const char *weights_path = argc > 2 ? argv[2]
                                        : "digits-weights.safetensors";
    struct split all = { 0 }, data = { 0 }, test = { 0 };
    mlxc_arrays *weights = NULL, *again = NULL;
    uint64_t state = SEED;
    double before = 0, after = 0;
    int32_t *order = NULL;
    if (argc > 3) {
        fprintf(stderr, "usage: digits [data [weights]]\n");
        return 2;
    }
    mlxc_status status = read_data(&all, path);
    if (status) {
        failed(path);
        goto out;
    }
    order = malloc((size_t)(all.n + 1) * sizeof *order);
    status = order ? MLXC_OK : MLXC_ERR_NOMEM;
    for (int64_t i = 0; i < all.n && order; i++)
        order[i] = (int32_t)i;
    if (order)
        shuffle(order, all.n, &state);
    int64_t held = all.n / 5;
    if (!status)
        status = rows(&test, &all, order, held);
    if (!status)
        status = rows(&data, &all, order + held, all.n - held);
    if (!status)
        status = train(&weights, &data, &test);
    if (!status)
        status = accuracy(&before, weights, &test);
    if (!status)
        status = save(weights_path, weights);
    if (!status)
        status = load(&again, weights_path);
    if (!status)
        status = accuracy(&after, again, &test);
    if (!status)
        status = show(again, &test);
    if (status) {
        failed("training");
        goto out;
    }
    printf("%lld digits learnt, %lld tested: %.2f %% right; %.2f %% with the "
        "weights loaded from %s\n", (long long)data.n, (long long)test.n,
        100 * before, 100 * after, weights_path);
    if (before < 0.97 || after != before) {
        fprintf(stderr, "digits: below 97 %%, or changed by saving\n");
        status = MLXC_ERR_INTERNAL;
    }
out:
    free(order);
    drop(&all);
    drop(&data);
    drop(&test);
    mlxc_arrays_unref(weights);
    mlxc_arrays_unref(again);
    return status != MLXC_OK;
}

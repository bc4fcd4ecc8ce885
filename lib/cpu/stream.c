/* SPDX-License-Identifier: MIT */
/* CPU streams: a queue of tasks, and a token that says who runs them.  The
   token is taken by an evaluating thread that finds the stream idle (then
   small work runs on the spot, without the queue), by a thread that waits
   (it helps instead of sleeping), or by the stream's worker, which exists
   only once something was left for it. */
#include "cpu/stream.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "cpu/task.h"
#include "util/alloc.h"
#include "util/atomic.h"

/* Work up to this many element operations runs under the graph lock. */
#define SMALL_COST 16384
/* Tasks that may wait in a queue before the evaluating thread pauses. */
#define MAX_QUEUED 64
#define SCRATCH 1024

/* Aligned for any payload; C99 has no max_align_t. */
union aligned {
    long double number;
    int64_t whole;
    void *pointer;
};

struct task {
    struct task *next;
    mx_task_fn *fn;
    int nbuffers, noutputs; /* outputs stand first */
    struct mx_buffer **buffer;
    union aligned payload[];
};

struct cpu_stream {
    pthread_mutex_t lock;
    pthread_cond_t work;  /* for the worker */
    pthread_cond_t done;  /* for those who wait */
    struct task *head, *tail;
    int length;
    int busy;             /* the token is taken */
    int waiting;          /* threads in sync */
    int stop, has_worker, worker_wanted;
    pthread_t worker;
    /* under the graph lock: */
    const void *holder;   /* evaluating thread with the token */
    /* of the node being encoded: */
    struct mx_buffer *temporary[MX_TASK_TEMPORARIES];
    int ntemporaries;
    int scratch_used;
    union aligned scratch[SCRATCH / sizeof(union aligned)];
};

static __thread char me; /* its address names the thread */

static struct task *task_of(void *payload)
{
    return (struct task *)(void *)((char *)payload -
        offsetof(struct task, payload));
}

static void run_task(mlxc_stream *s, struct task *t)
{
    struct mx_fault *fault = NULL;
    for (int i = t->noutputs; i < t->nbuffers && !fault; i++)
        fault = mx_fault_ref(mx_load(&t->buffer[i]->fault));
    if (!fault) {
        mlxc_status status = t->fn(t->payload);
        if (status) {
            fault = mx_fault_new(status);
            mx_stream_fail(s, fault);
        }
    }
    if (fault) {
        for (int i = 0; i < t->noutputs; i++)
            mx_buffer_spoil(t->buffer[i], fault);
        mx_fault_unref(fault);
    }
    for (int i = 0; i < t->nbuffers; i++)
        mx_buffer_unref(t->buffer[i]);
    mx_free(t);
}

/* Run queued tasks up to `sequence`.  The caller holds the token, and the
   lock, which is free while a task runs. */
static void drain(mlxc_stream *s, struct cpu_stream *c, uint64_t sequence)
{
    while (c->head && s->completed < sequence) {
        struct task *t = c->head;
        c->head = t->next;
        if (!c->head)
            c->tail = NULL;
        mx_sub(&c->length, 1);
        pthread_mutex_unlock(&c->lock);
        run_task(s, t);
        pthread_mutex_lock(&c->lock);
        mx_add(&s->completed, 1);
        if (c->waiting)
            pthread_cond_broadcast(&c->done);
    }
}

static void give_token(struct cpu_stream *c)
{
    c->busy = 0;
    if (c->waiting)
        pthread_cond_broadcast(&c->done);
    if (c->head && c->worker_wanted)
        pthread_cond_signal(&c->work);
}

static void *work(void *p)
{
    mlxc_stream *s = p;
    struct cpu_stream *c = s->state;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (!c->stop && (!c->head || c->busy || !c->worker_wanted))
            pthread_cond_wait(&c->work, &c->lock);
        if (c->stop)
            break;
        c->busy = 1;
        drain(s, c, UINT64_MAX);
        if (!c->head)
            c->worker_wanted = 0;
        give_token(c);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* With the lock held.  Without a worker the tasks wait for somebody who
   needs them, which is slower and still right. */
static void want_worker(mlxc_stream *s, struct cpu_stream *c)
{
    if (!c->has_worker)
        c->has_worker = pthread_create(&c->worker, NULL, work, s) == 0;
    c->worker_wanted = 1;
    pthread_cond_signal(&c->work);
}

static mlxc_status init(mlxc_stream *s)
{
    struct cpu_stream *c = mx_alloc_zero(sizeof *c);
    if (!c)
        return mx_error_nomem("stream_new");
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->work, NULL);
    pthread_cond_init(&c->done, NULL);
    s->state = c;
    return MLXC_OK;
}

static void sync(mlxc_stream *s, uint64_t sequence)
{
    struct cpu_stream *c = s->state;
    if (mx_stream_reached(s, sequence))
        return;
    pthread_mutex_lock(&c->lock);
    while (s->completed < sequence) {
        if (!c->busy) {
            c->busy = 1;
            drain(s, c, sequence);
            give_token(c);
        } else {
            c->waiting++;
            pthread_cond_wait(&c->done, &c->lock);
            c->waiting--;
        }
    }
    pthread_mutex_unlock(&c->lock);
}

static void fini(mlxc_stream *s)
{
    struct cpu_stream *c = s->state;
    sync(s, s->submitted);
    if (c->has_worker) {
        pthread_mutex_lock(&c->lock);
        c->stop = 1;
        pthread_cond_signal(&c->work);
        pthread_mutex_unlock(&c->lock);
        pthread_join(c->worker, NULL);
    }
    pthread_cond_destroy(&c->work);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    mx_free(c);
}

static void begin(mlxc_stream *s, int wait)
{
    (void)wait;
    struct cpu_stream *c = s->state;
    pthread_mutex_lock(&c->lock);
    if (!c->busy && !c->head) {
        c->busy = 1;
        c->holder = &me;
    }
    pthread_mutex_unlock(&c->lock);
}

static void release_temporaries(struct cpu_stream *c)
{
    while (c->ntemporaries)
        mx_buffer_unref(c->temporary[--c->ntemporaries]);
}

static void end(mlxc_stream *s, int wait)
{
    struct cpu_stream *c = s->state;
    release_temporaries(c);
    pthread_mutex_lock(&c->lock);
    if (c->holder == &me) {
        c->holder = NULL;
        give_token(c);
    }
    if (c->head && !wait)
        want_worker(s, c);
    pthread_mutex_unlock(&c->lock);
}

static void pace(mlxc_stream *s, int wait)
{
    struct cpu_stream *c = s->state;
    release_temporaries(c);
    /* Only evaluating threads add to the queue, under the graph lock, so an
       empty queue stays so: no lock needed to see that. */
    int length = mx_load_relaxed(&c->length);
    if (length == 0)
        return;
    if (wait && c->holder == &me) {
        mx_graph_unlock();
        pthread_mutex_lock(&c->lock);
        drain(s, c, UINT64_MAX);
        pthread_mutex_unlock(&c->lock);
        mx_graph_lock();
    } else if (length > MAX_QUEUED) {
        uint64_t sequence = s->submitted - MAX_QUEUED / 2;
        if (c->holder == &me) {
            c->holder = NULL;
            pthread_mutex_lock(&c->lock);
            give_token(c);
            pthread_mutex_unlock(&c->lock);
        }
        mx_graph_unlock();
        sync(s, sequence);
        mx_graph_lock();
    }
}

void *mx_task_begin(mlxc_stream *s, mx_task_fn *fn, size_t bytes,
    int64_t cost)
{
    struct cpu_stream *c = s->state;
    const struct mx_node *n = s->node;
    struct task *t;
    int now = cost <= SMALL_COST && c->holder == &me && !c->head;
    int nbuffers = now || !n
        ? 0 : n->ninputs + n->noutputs + MX_TASK_TEMPORARIES;
    size_t head = (offsetof(struct task, payload) + bytes + 7) & ~(size_t)7;
    size_t total = head + (size_t)nbuffers * sizeof(struct mx_buffer *);
    if (now && total <= SCRATCH && !c->scratch_used) {
        t = (struct task *)(void *)c->scratch;
        c->scratch_used = 1;
    } else {
        t = mx_alloc(total);
        if (!t) {
            mx_error_nomem(n ? n->op->name : "stream");
            return NULL;
        }
    }
    t->fn = fn;
    t->nbuffers = t->noutputs = 0;
    t->buffer = nbuffers
        ? (struct mx_buffer **)(void *)((char *)t + head) : NULL;
    return t->payload;
}

static void free_task(struct cpu_stream *c, struct task *t)
{
    if ((void *)t == (void *)c->scratch)
        c->scratch_used = 0;
    else
        mx_free(t);
}

void mx_task_drop(mlxc_stream *s, void *payload)
{
    free_task(s->state, task_of(payload));
}

static void hold(struct task *t, mlxc_stream *s, struct mx_buffer *b)
{
    if (!b)
        return;
    if (!b->stream)
        b->stream = s;
    else if (b->stream != s)
        b->shared = 1;
    t->buffer[t->nbuffers++] = mx_buffer_ref(b);
}

static void enqueue(mlxc_stream *s, struct cpu_stream *c, struct task *t)
{
    t->next = NULL;
    pthread_mutex_lock(&c->lock);
    if (c->tail)
        c->tail->next = t;
    else
        c->head = t;
    c->tail = t;
    mx_add(&c->length, 1);
    s->submitted++;
    pthread_mutex_unlock(&c->lock);
}

mlxc_status mx_task_end(mlxc_stream *s, void *payload)
{
    struct cpu_stream *c = s->state;
    const struct mx_node *n = s->node;
    struct task *t = task_of(payload);
    if (!t->buffer && n) {
        mlxc_status status = t->fn(payload);
        free_task(c, t);
        return status;
    }
    for (int i = 0; n && i < n->noutputs; i++)
        hold(t, s, n->output[i]->buffer);
    t->noutputs = t->nbuffers;
    for (int i = 0; n && i < n->ninputs; i++) {
        /* a donated buffer is the output itself, and holds no fault yet */
        hold(t, s, n->input[i]->buffer);
    }
    for (int i = 0; n && i < c->ntemporaries; i++)
        hold(t, s, c->temporary[i]);
    enqueue(s, c, t);
    return MLXC_OK;
}

mlxc_status mx_task_hold(mlxc_stream *s, struct mx_buffer *b)
{
    struct cpu_stream *c = s->state;
    if (c->ntemporaries == MX_TASK_TEMPORARIES) {
        mx_buffer_unref(b);
        return mx_error(MLXC_ERR_INTERNAL, "%s: too many temporaries",
            s->node->op->name);
    }
    c->temporary[c->ntemporaries++] = b;
    return MLXC_OK;
}

void *mx_task_scratch(mlxc_stream *s, size_t bytes)
{
    struct mx_buffer *b;
    if (mx_buffer_new(&b, s, bytes) || mx_task_hold(s, b))
        return NULL;
    return b->data;
}

struct wait_job {
    mlxc_stream *other;
    uint64_t sequence;
};

static mlxc_status run_wait(void *payload)
{
    struct wait_job *w = payload;
    w->other->device->backend->stream->sync(w->other, w->sequence);
    mlxc_stream_unref(w->other);
    return MLXC_OK;
}

static mlxc_status wait_for(mlxc_stream *s, mlxc_stream *other,
    uint64_t sequence)
{
    const struct mx_node *n = s->node;
    s->node = NULL; /* a wait holds no buffers and never runs at once */
    struct wait_job *w = mx_task_begin(s, run_wait, sizeof *w, INT64_MAX);
    if (w) {
        w->other = mlxc_stream_ref(other);
        w->sequence = sequence;
        mx_task_end(s, w);
    }
    s->node = n;
    return w ? MLXC_OK : MLXC_ERR_NOMEM;
}

const struct mx_stream_ops mx_cpu_stream_ops = {
    .init = init,
    .fini = fini,
    .begin = begin,
    .end = end,
    .pace = pace,
    .wait = wait_for,
    .sync = sync,
};

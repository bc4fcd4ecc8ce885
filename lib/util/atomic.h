/* SPDX-License-Identifier: MIT */
/* The few atomic operations in use, over the compiler's builtins. */
#ifndef MX_ATOMIC_H
#define MX_ATOMIC_H

#define mx_load(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define mx_load_relaxed(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define mx_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define mx_add(p, v) __atomic_add_fetch((p), (v), __ATOMIC_ACQ_REL)
#define mx_sub(p, v) __atomic_sub_fetch((p), (v), __ATOMIC_ACQ_REL)
/* A reference is taken by somebody who holds one: no ordering needed. */
#define mx_ref_inc(p) ((void)__atomic_fetch_add((p), 1, __ATOMIC_RELAXED))
/* True when the last reference went. */
#define mx_ref_dec(p) (__atomic_sub_fetch((p), 1, __ATOMIC_ACQ_REL) == 0)
#define mx_cas(p, old, v) \
    __atomic_compare_exchange_n((p), (old), (v), 0, __ATOMIC_ACQ_REL, \
        __ATOMIC_ACQUIRE)

#define MX_LIKELY(x) __builtin_expect(!!(x), 1)
#define MX_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif

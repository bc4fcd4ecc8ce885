/* SPDX-License-Identifier: MIT */
#undef T
#undef A
#undef DTYPE
#undef TN
#undef LD
#undef ST
#undef KIND
#undef FN

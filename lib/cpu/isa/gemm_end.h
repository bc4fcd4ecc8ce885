/* SPDX-License-Identifier: MIT */
#undef P
#undef V
#undef MADD
#undef PN

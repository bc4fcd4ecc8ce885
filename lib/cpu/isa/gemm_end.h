/* SPDX-License-Identifier: MIT */
#undef P
#undef V
#undef MADD
#undef ADD
#undef PN

/* SPDX-License-Identifier: MIT */
#ifndef MLXC_MLXC_H
#define MLXC_MLXC_H

#include <mlxc/array.h>
#include <mlxc/device.h>
#include <mlxc/dtype.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/io.h>
#include <mlxc/memory.h>
#include <mlxc/ops_index.h>
#include <mlxc/ops_math.h>
#include <mlxc/ops_matmul.h>
#include <mlxc/ops_reduce.h>
#include <mlxc/ops_shape.h>
#include <mlxc/random.h>
#include <mlxc/scope.h>
#include <mlxc/stream.h>
#include <mlxc/transform.h>
#include <mlxc/version.h>

#endif /* MLXC_MLXC_H */

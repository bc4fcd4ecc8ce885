// SPDX-License-Identifier: MIT

package mlxc

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

func floats(t *testing.T, shape []int64, values ...float32) Array {
	bytes := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(bytes[4*i:], math.Float32bits(v))
	}
	var a Array
	if err := Array_from_data(&a, bytes, shape, FLOAT32); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAddsTwoArrays(t *testing.T) {
	a := floats(t, []int64{2, 2}, 1, 2, 3, 4)
	b := floats(t, []int64{2}, 10, 20)
	var sum, total Array
	if err := Add(&sum, a, b, nil); err != nil {
		t.Fatal(err)
	}
	if shape := Array_shape(sum); len(shape) != 2 || shape[0] != 2 {
		t.Fatal(shape)
	}
	var text string
	if err := Array_to_string(&text, sum); err != nil {
		t.Fatal(err)
	}
	if text != "array([[11., 22.],\n       [13., 24.]], dtype=float32)" {
		t.Fatal(text)
	}
	bytes := make([]byte, 16)
	if err := Array_copy_out(sum, bytes); err != nil {
		t.Fatal(err)
	}
	if v := math.Float32frombits(binary.LittleEndian.Uint32(bytes[12:])); v != 24 {
		t.Fatal(v)
	}
	if err := Sum(&total, sum, []int{0, 1}, false, nil); err != nil {
		t.Fatal(err)
	}
	var value float64
	if err := Array_item_double(&value, total); err != nil || value != 70 {
		t.Fatal(value, err)
	}
	for _, each := range []Array{a, b, sum, total} {
		DeleteArray(each)
	}
}

func TestShapeErrorSaysWhy(t *testing.T) {
	a := floats(t, []int64{2}, 1, 2)
	b := floats(t, []int64{3}, 1, 2, 3)
	var sum Array
	err := Add(&sum, a, b, nil)
	if err == nil || sum != nil {
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), "(2)") || !strings.HasPrefix(err.Error(), "add: ") {
		t.Fatal(err)
	}
	DeleteArray(a)
	DeleteArray(b)
}

func TestListsAndSequences(t *testing.T) {
	a := floats(t, []int64{4}, 1, 2, 3, 4)
	var list Arrays
	var part Array
	if err := Arrays_from(&list, []Array{a, a}); err != nil || Arrays_size(list) != 2 {
		t.Fatal(err)
	}
	DeleteArray(a)
	a = Arrays_get(list, 1)
	if Arrays_get(list, 2) != nil {
		t.Fatal("an entry that is not there")
	}
	if err := Slice(&part, a, []int64{1}, []int64{3}, []int64{1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := Eval([]Array{part}); err != nil {
		t.Fatal(err)
	}
	if Array_size(part) != 2 {
		t.Fatal(Array_size(part))
	}
	DeleteArray(part)
	DeleteArray(a)
	DeleteArrays(list)
}

func TestShortBuffersAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	var a Array
	Array_from_data(&a, make([]byte, 3), []int64{1}, FLOAT32)
}

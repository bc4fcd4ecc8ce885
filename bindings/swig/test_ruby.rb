# SPDX-License-Identifier: MIT
# The raw layer from Ruby: values, errors, lists, lifetimes.
require 'mlxc'

def check(claim, what)
  return if claim

  warn "failed: #{what}"
  exit 1
end

def floats(shape, *values)
  Mlxc.array_from_data(values.pack('e*'), shape, Mlxc::FLOAT32)
end

a = floats([2, 2], 1, 2, 3, 4)
sum = Mlxc.add(a, floats([2], 10, 20), nil)
check Mlxc.array_shape(sum) == [2, 2], 'shape'
check Mlxc.array_copy_out(sum, 16).unpack('e*') == [11, 22, 13, 24], 'values'
check Mlxc.array_to_string(sum) ==
      "array([[11., 22.],\n       [13., 24.]], dtype=float32)", 'text'
check Mlxc.array_item_double(Mlxc.sum(sum, [0, 1], false, nil)) == 70, 'sum'

begin
  Mlxc.add(a, floats([3], 1, 2, 3), nil)
  check false, 'an error of shapes'
rescue Mlxc::Error => e
  check e.message.start_with?('add: ') && e.message.include?('(2,2)'),
        "the message: #{e.message}"
end

list = Mlxc.arrays_from([a, sum])
check Mlxc.arrays_size(list) == 2, 'list'
check Mlxc.arrays_get(list, 2).nil?, 'an entry that is not there'
part = Mlxc.slice(Mlxc.arrays_get(list, 0), [0, 1], [2, 2], [1, 1], nil)
Mlxc.eval([part])
check Mlxc.array_copy_out(part, 8).unpack('e*') == [2, 4], 'slice'

index = Mlxc.array_from_data([1, 0].pack('l*'), [2], Mlxc::INT32)
rows = Mlxc.take(a, index, 0, nil)
check Mlxc.array_copy_out(rows, 16).unpack('e*') == [3, 4, 1, 2], 'take'

[-> { Mlxc.array_from_data('abc', [1], Mlxc::FLOAT32) },
 -> { Mlxc.slice(a, [0], [1, 2], [1, 1], nil) },
 -> { Mlxc.array_from_data('abc', [nil], Mlxc::FLOAT32) },
 -> { Mlxc.slice(a, [0], [nil], [1, 1], nil) },
 -> { Mlxc.eval([1]) }].each_with_index do |call, i|
  raised = begin
    call.call
    false
  rescue Mlxc::Error, TypeError
    true
  end
  check raised, "misuse #{i}"
end

# what was prepared for a call that failed is forgotten
check Mlxc.array_size(Mlxc.astype(a, Mlxc::INT32, nil)) == 4, 'astype'
check Mlxc.array_size(Mlxc.reshape(a, [4], nil)) == 4, 'reshape'

200.times do
  x = floats([1000], *([1.0] * 1000))
  50.times { x = Mlxc.add(x, x, nil) }
  Mlxc.eval([x])
end
GC.start
check Mlxc.memory_active < 1 << 20, 'memory is given back'

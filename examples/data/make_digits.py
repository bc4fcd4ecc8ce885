#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Writes digits.safetensors beside this script from the copy of the data set
# that scikit-learn ships.  Run by hand only; the file is committed.
import json
import os
import struct

import numpy as np
from sklearn.datasets import load_digits

d = load_digits()
images = d.images.astype(np.uint8)
labels = d.target.astype(np.uint8)
assert images.shape == (1797, 8, 8) and (images == d.images).all()
assert images.max() == 16 and set(labels) == set(range(10))

header = {
    "__metadata__": {
        "name": "Optical Recognition of Handwritten Digits, test set",
        "source": "UCI Machine Learning Repository, E. Alpaydin and "
                  "C. Kaynak, 1998, doi:10.24432/C50P49",
        "licence": "CC BY 4.0",
        "changes": "the 64 attributes as 8x8 images of 0 to 16, as uint8",
    },
    "images": {"dtype": "U8", "shape": [1797, 8, 8],
               "data_offsets": [0, images.size]},
    "labels": {"dtype": "U8", "shape": [1797],
               "data_offsets": [images.size, images.size + labels.size]},
}
h = json.dumps(header, separators=(",", ":")).encode()
h += b" " * (-len(h) % 8)
path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "digits.safetensors")
with open(path, "wb") as f:
    f.write(struct.pack("<Q", len(h)) + h + images.tobytes() +
            labels.tobytes())

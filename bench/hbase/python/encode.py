"""happybase without a server: what it would send is made, and dropped. Asked line by line: see src/peer.rs."""

import struct
import sys
import time

import happybase
from Hbase_thrift import Hbase
from thriftpy2.thrift import TClient

FAMILY = b"f:"
TIME = 1400657685457
ABSENT = 0xFFFF


class Sink:
    """Takes what a socket would send."""

    def is_open(self):
        return True

    def write(self, _):
        pass

    def flush(self):
        pass


class EncodeOnly(TClient):
    """Asks and does not wait."""

    def _recv(self, _):
        return None


def read_rows(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 0

    def take():
        nonlocal at
        (length,) = struct.unpack_from(">H", data, at)
        at += 2
        if length == ABSENT:
            return None
        at += length
        return data[at - length : at]

    (columns,) = struct.unpack_from(">I", data, at)
    at += 4
    columns = [FAMILY + take() for _ in range(columns)]
    (count,) = struct.unpack_from(">I", data, at)
    at += 4
    for _ in range(count):
        yield take(), {column: value for column in columns if (value := take()) is not None}


def load(rows, table, batch_rows):
    cpu, wall = time.process_time_ns(), time.monotonic_ns()
    for start in range(0, len(rows), batch_rows):
        with table.batch(timestamp=TIME) as batch:
            for key, data in rows[start : start + batch_rows]:
                batch.put(key, data)
    cpu, wall = time.process_time_ns() - cpu, time.monotonic_ns() - wall
    return f"rows={len(rows)} cpu_ns={cpu} wall_ns={wall}"


def main():
    connection = happybase.Connection(autoconnect=False)
    connection.transport = connection._transport_class(Sink())
    protocol = connection._protocol_class(connection.transport, decode_response=False)
    connection.client = EncodeOnly(Hbase, protocol)
    # Made beforehand: of happybase only what it makes of ready dictionaries is measured.
    rows = list(read_rows(sys.argv[1]))
    for line in sys.stdin:
        words = line.split()
        print(load(rows, connection.table(words[2]), int(words[4])), flush=True)


main()

// gohbase, asked line by line: see src/peer.rs for what, src/rows.rs for the file of rows.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
)

const (
	family  = "f"
	stamp   = 1400657685457
	absent  = 0xffff
	loaders = 4
)

type rows struct {
	data    []byte
	columns []string
	starts  []int
}

type seen struct {
	rows, cells, bytes uint64
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	all, err := readRows(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// With no interval nothing waits for a batch to fill; what comes together is sent together.
	client := gohbase.NewClient(os.Args[1], gohbase.RpcQueueSize(5000), gohbase.FlushInterval(0))
	defer client.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		text, err := answer(client, all, strings.Fields(lines.Text()))
		if err != nil {
			text = "failed: " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(text)
	}
}

func answer(client gohbase.Client, all *rows, words []string) (string, error) {
	if words[0] == "digest" {
		return digest(client, words[1])
	}
	cpu, begun := cpuTime(), time.Now()
	var text string
	var err error
	switch words[0] {
	case "load":
		text, err = load(client, all, words[2], number(words[4]))
	case "scan":
		text, err = scan(client, words[1])
	case "get":
		text, err = get(client, all, words[2], number(words[3]), number(words[4]))
	default:
		err = fmt.Errorf("not understood: %s", words[0])
	}
	took := time.Since(begun)
	return fmt.Sprintf("%s cpu_ns=%d wall_ns=%d", text, cpuTime()-cpu, took.Nanoseconds()), err
}

func load(client gohbase.Client, all *rows, table string, batch int) (string, error) {
	var next atomic.Int64
	var group sync.WaitGroup
	failures := make([]error, loaders)
	for i := range loaders {
		group.Add(1)
		go func() {
			defer group.Done()
			for failures[i] == nil {
				from := int(next.Add(int64(batch))) - batch
				if from >= len(all.starts) {
					return
				}
				failures[i] = put(client, all, table, from, min(from+batch, len(all.starts)))
			}
		}()
	}
	group.Wait()
	for _, err := range failures {
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("rows=%d", len(all.starts)), nil
}

func put(client gohbase.Client, all *rows, table string, from, to int) error {
	ctx := context.Background()
	calls := make([]hrpc.Call, 0, to-from)
	for i := from; i < to; i++ {
		key, at := all.take(all.starts[i])
		values := make(map[string][]byte, len(all.columns))
		for _, column := range all.columns {
			var value []byte
			if value, at = all.take(at); value != nil {
				values[column] = value
			}
		}
		call, err := hrpc.NewPut(ctx, []byte(table), key, map[string]map[string][]byte{family: values},
			hrpc.TimestampUint64(stamp))
		if err != nil {
			return err
		}
		calls = append(calls, call)
	}
	results, ok := client.SendBatch(ctx, calls)
	if !ok {
		for _, result := range results {
			if result.Error != nil {
				return result.Error
			}
		}
	}
	return nil
}

func scan(client gohbase.Client, table string) (string, error) {
	var all seen
	question, err := hrpc.NewScanStr(context.Background(), table, hrpc.MaxResultSize(2<<20))
	if err != nil {
		return "", err
	}
	// The way that makes less of each cell.
	scanner := client.ScanV2(question)
	for {
		answer, err := scanner.Next()
		if err == io.EOF {
			return all.String(), nil
		}
		if err != nil {
			return "", err
		}
		for _, row := range answer.Results {
			if !row.Partial {
				all.rows++
			}
			for _, cell := range row.Cells {
				all.cells++
				all.bytes += uint64(len(cell.Qualifier()) + len(cell.Value()))
			}
		}
	}
}

func digest(client gohbase.Client, table string) (string, error) {
	var all seen
	crc := crc32.NewIEEE()
	err := each(client, table, func(row *hrpc.Result) {
		all.lookAt(row)
		for _, cell := range row.Cells {
			crc.Write(cell.Row)
			crc.Write(cell.Qualifier)
			crc.Write(binary.BigEndian.AppendUint64(nil, *cell.Timestamp))
			crc.Write(cell.Value)
		}
	})
	return fmt.Sprintf("%s crc=%d", all.String(), crc.Sum32()), err
}

func each(client gohbase.Client, table string, look func(*hrpc.Result)) error {
	question, err := hrpc.NewScanStr(context.Background(), table, hrpc.MaxResultSize(2<<20))
	if err != nil {
		return err
	}
	scanner := client.Scan(question)
	for {
		row, err := scanner.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		look(row)
	}
}

func get(client gohbase.Client, all *rows, table string, inFlight, count int) (string, error) {
	var next atomic.Int64
	var group sync.WaitGroup
	parts := make([]seen, inFlight)
	failures := make([]error, inFlight)
	latencies := make([]time.Duration, count)
	for i := range inFlight {
		group.Add(1)
		go func() {
			defer group.Done()
			for at := int(next.Add(1)) - 1; at < count && failures[i] == nil; at = int(next.Add(1)) - 1 {
				key, _ := all.take(all.starts[(at*48271+11)%len(all.starts)])
				begun := time.Now()
				question, err := hrpc.NewGet(context.Background(), []byte(table), key, hrpc.SkipBatch())
				if err == nil {
					var row *hrpc.Result
					if row, err = client.Get(question); err == nil {
						latencies[at] = time.Since(begun)
						parts[i].lookAt(row)
					}
				}
				failures[i] = err
			}
		}()
	}
	group.Wait()
	var sum seen
	for i, part := range parts {
		if failures[i] != nil {
			return "", failures[i]
		}
		sum.rows += part.rows
		sum.cells += part.cells
		sum.bytes += part.bytes
	}
	sort.Slice(latencies, func(i, j int) bool { return latencies[i] < latencies[j] })
	p50, p99 := latencies[count/2].Nanoseconds(), latencies[count*99/100].Nanoseconds()
	return fmt.Sprintf("%s p50_ns=%d p99_ns=%d", sum.String(), p50, p99), nil
}

func (s *seen) lookAt(row *hrpc.Result) {
	if len(row.Cells) > 0 {
		s.rows++
	}
	for _, cell := range row.Cells {
		s.cells++
		s.bytes += uint64(len(cell.Qualifier) + len(cell.Value))
	}
}

func (s *seen) String() string {
	return fmt.Sprintf("rows=%d cells=%d bytes=%d", s.rows, s.cells, s.bytes)
}

func readRows(path string) (*rows, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := &rows{data: data}
	columns, at := int(binary.BigEndian.Uint32(data)), 4
	for range columns {
		var name []byte
		name, at = all.take(at)
		all.columns = append(all.columns, string(name))
	}
	count := int(binary.BigEndian.Uint32(data[at:]))
	at += 4
	for range count {
		all.starts = append(all.starts, at)
		for range columns + 1 {
			_, at = all.take(at)
		}
	}
	return all, nil
}

// What begins at a place, and where it ends: nil for a column that a row does not have.
func (all *rows) take(at int) ([]byte, int) {
	length := int(binary.BigEndian.Uint16(all.data[at:]))
	at += 2
	if length == absent {
		return nil, at
	}
	return all.data[at : at+length : at+length], at + length
}

func cpuTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func number(word string) int {
	n, _ := strconv.Atoi(word)
	return n
}

//! Kafka's answer to "which brokers and topics are there": a broker that gives it, and has all its leaders, serves.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Size, key 3 (metadata), version 1, correlation 1, no client's name; all topics.
const REQUEST: [u8; 18] = [0, 0, 0, 14, 0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
/// A broker that is not ready takes the question and is silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// More would be a program that is not Kafka.
const MAX_ANSWER_BYTES: u32 = 64 << 20;

#[derive(Debug)]
pub(crate) struct Metadata {
    brokers: Vec<i32>,
    partitions: Vec<Partition>,
}

#[derive(Debug)]
struct Partition {
    error: i16,
    leader: i32,
    replicas: Vec<i32>,
}

impl Metadata {
    /// Asks the broker on that port of this machine.
    pub(crate) fn ask(port: u16) -> io::Result<Self> {
        let mut socket =
            TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), PATIENCE)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.write_all(&REQUEST)?;
        let mut size = [0; 4];
        socket.read_exact(&mut size)?;
        let size = u32::from_be_bytes(size);
        if size > MAX_ANSWER_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut answer = Vec::new();
        socket.take(size.into()).read_to_end(&mut answer)?;
        Answer(&answer).metadata().ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Whether so many brokers are there, `broker` among them, and every partition that it keeps has a leader.
    pub(crate) fn serves(&self, broker: i32, broker_count: usize) -> bool {
        let mut kept = self.partitions.iter().filter(|partition| partition.replicas.contains(&broker));
        self.brokers.len() >= broker_count
            && self.brokers.contains(&broker)
            && kept.all(|partition| partition.error == 0 && partition.leader >= 0)
    }
}

/// What is left to read of an answer; `None` where it is cut short.
struct Answer<'a>(&'a [u8]);

impl Answer<'_> {
    fn metadata(mut self) -> Option<Metadata> {
        self.skip(4)?;
        let brokers = self.list(Self::broker)?;
        self.skip(4)?;
        let partitions = self.list(Self::topic)?.into_iter().flatten().collect();
        Some(Metadata { brokers, partitions })
    }

    /// Its number; host, port and rack are left out.
    fn broker(&mut self) -> Option<i32> {
        let id = self.i32()?;
        self.text()?;
        self.skip(4)?;
        self.text()?;
        Some(id)
    }

    fn topic(&mut self) -> Option<Vec<Partition>> {
        self.skip(2)?;
        self.text()?;
        self.skip(1)?;
        self.list(Self::partition)
    }

    fn partition(&mut self) -> Option<Partition> {
        let error = self.i16()?;
        self.skip(4)?;
        let leader = self.i32()?;
        let replicas = self.list(Self::i32)?;
        self.list(Self::i32)?;
        Some(Partition { error, leader, replicas })
    }

    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.i32()?;
        (0..count).map(|_| element(self)).collect()
    }

    /// -1 is the length of a text that is not there.
    fn text(&mut self) -> Option<()> {
        let length = self.i16()?.max(0);
        self.skip(length.try_into().ok()?)
    }

    fn i16(&mut self) -> Option<i16> {
        self.bytes().map(i16::from_be_bytes)
    }

    fn i32(&mut self) -> Option<i32> {
        self.bytes().map(i32::from_be_bytes)
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.get(count..)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    /// Broker 0 on port 1, controller 0, topic `t` with one partition that broker 0 keeps.
    fn answer(leader: i32) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0, 1];
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 0, 0, 1, b'h', 0, 0, 0, 1, 0xff, 0xff]);
        bytes.extend([0, 0, 0, 0]);
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 1, b't', 0]);
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        bytes.extend(leader.to_be_bytes());
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 0]);
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn a_broker_serves_when_its_partitions_have_a_leader() {
        let serves = |leader, broker, broker_count| {
            Answer(&answer(leader)).metadata().unwrap().serves(broker, broker_count)
        };
        assert!(serves(0, 0, 1));
        assert!(!serves(-1, 0, 1));
        assert!(!serves(0, 1, 1));
        assert!(!serves(0, 0, 2));
    }

    #[test]
    fn an_answer_that_is_cut_short_is_none() {
        let whole = answer(0);
        for length in 0..whole.len() {
            assert!(Answer(&whole[..length]).metadata().is_none(), "{length}");
        }
    }
}

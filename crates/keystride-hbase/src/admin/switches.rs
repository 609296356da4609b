//! Who may move, split and merge regions besides those who ask for it.

use super::Admin;
use crate::{Error, proto};

/// Something the cluster does by itself while it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Switch {
    /// Moving regions to servers with less to do.
    Balancer,
    /// Splitting and merging regions until they are alike in size.
    Normalizer,
    /// Splitting at all, also where it is asked for.
    Split,
    /// Merging at all, also where it is asked for.
    Merge,
}

/// What a run of the balancer came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Balanced {
    /// Whether it ran: not while it is off, or regions are on their way.
    pub has_run: bool,
    /// How many moves it found worth making; 0 from masters before 2.5, which don't say.
    pub planned_moves: u32,
    /// How many it made.
    pub moves: u32,
}

impl Admin {
    /// Turns something on or off, and says whether it was on before.
    ///
    /// Splits and merges under way are over when this is done.
    ///
    /// # Errors
    ///
    /// What keeps the master from being asked.
    pub async fn set_switch(&self, switch: Switch, on: bool) -> Result<bool, Error> {
        match switch {
            Switch::Balancer => {
                let request = proto::SetBalancerRunningRequest { on, synchronous: Some(true) };
                let answer: proto::SetBalancerRunningResponse =
                    self.call("SetBalancerRunning", &request).await?;
                Ok(answer.prev_balance_value())
            }
            Switch::Normalizer => {
                let request = proto::SetNormalizerRunningRequest { on };
                let answer: proto::SetNormalizerRunningResponse =
                    self.call("SetNormalizerRunning", &request).await?;
                Ok(answer.prev_normalizer_value())
            }
            Switch::Split => self.set_split_or_merge(proto::MasterSwitchType::Split, on).await,
            Switch::Merge => self.set_split_or_merge(proto::MasterSwitchType::Merge, on).await,
        }
    }

    /// Whether something is on.
    ///
    /// # Errors
    ///
    /// What keeps the master from being asked.
    pub async fn is_on(&self, switch: Switch) -> Result<bool, Error> {
        match switch {
            Switch::Balancer => {
                let request = proto::IsBalancerEnabledRequest {};
                let answer: proto::IsBalancerEnabledResponse =
                    self.call("IsBalancerEnabled", &request).await?;
                Ok(answer.enabled)
            }
            Switch::Normalizer => {
                let request = proto::IsNormalizerEnabledRequest {};
                let answer: proto::IsNormalizerEnabledResponse =
                    self.call("IsNormalizerEnabled", &request).await?;
                Ok(answer.enabled)
            }
            Switch::Split => self.is_split_or_merge_on(proto::MasterSwitchType::Split).await,
            Switch::Merge => self.is_split_or_merge_on(proto::MasterSwitchType::Merge).await,
        }
    }

    /// Moves regions to servers with less to do, now.
    ///
    /// # Errors
    ///
    /// What keeps the master from being asked.
    pub async fn balance(&self) -> Result<Balanced, Error> {
        let answer: proto::BalanceResponse = self.call("Balance", &proto::BalanceRequest::default()).await?;
        Ok(Balanced {
            has_run: answer.balancer_ran,
            planned_moves: answer.moves_calculated(),
            moves: answer.moves_executed(),
        })
    }

    /// Splits and merges regions of tables that are to be normalized, now, and says whether it ran: not while the
    /// normalizer is off.
    ///
    /// # Errors
    ///
    /// What keeps the master from being asked.
    pub async fn normalize(&self) -> Result<bool, Error> {
        let answer: proto::NormalizeResponse =
            self.call("Normalize", &proto::NormalizeRequest::default()).await?;
        Ok(answer.normalizer_ran)
    }

    async fn set_split_or_merge(
        &self,
        switch: proto::MasterSwitchType,
        enabled: bool,
    ) -> Result<bool, Error> {
        let request = proto::SetSplitOrMergeEnabledRequest {
            enabled,
            synchronous: Some(true),
            switch_types: vec![switch.into()],
        };
        let answer: proto::SetSplitOrMergeEnabledResponse =
            self.call("SetSplitOrMergeEnabled", &request).await?;
        // One for each that was set.
        Ok(answer.prev_value.first().copied().unwrap_or_default())
    }

    async fn is_split_or_merge_on(&self, switch: proto::MasterSwitchType) -> Result<bool, Error> {
        let request = proto::IsSplitOrMergeEnabledRequest { switch_type: switch.into() };
        let answer: proto::IsSplitOrMergeEnabledResponse =
            self.call("IsSplitOrMergeEnabled", &request).await?;
        Ok(answer.enabled)
    }
}

//! Switches for the balancer, the normalizer, splits and merges.

use super::Admin;
use crate::{Error, proto};

/// A function of the cluster that can be switched on and off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Switch {
    /// Moves regions to less loaded servers.
    Balancer,
    /// Splits and merges regions to even out their sizes.
    Normalizer,
    /// All splits, including requested ones.
    Split,
    /// All merges, including requested ones.
    Merge,
}

/// Result of running the balancer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Balanced {
    /// Whether it ran. It does not run while it is off or while regions are in transition.
    pub has_run: bool,
    /// Number of moves it planned; 0 from masters before 2.5, which don't report it.
    pub planned_moves: u32,
    /// Number of moves it made.
    pub moves: u32,
}

impl Admin {
    /// Switches something on or off, and returns whether it was on before.
    ///
    /// Waits for running splits and merges to finish.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
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

    /// Whether something is switched on.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
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

    /// Runs the balancer now.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
    pub async fn balance(&self) -> Result<Balanced, Error> {
        let answer: proto::BalanceResponse = self.call("Balance", &proto::BalanceRequest::default()).await?;
        Ok(Balanced {
            has_run: answer.balancer_ran,
            planned_moves: answer.moves_calculated(),
            moves: answer.moves_executed(),
        })
    }

    /// Runs the normalizer now, for tables that have normalization enabled. Returns whether it ran: it does not while
    /// it is switched off.
    ///
    /// # Errors
    ///
    /// Any error of calling the master.
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
        // The answer has one value for each switch that was set.
        Ok(answer.prev_value.first().copied().unwrap_or_default())
    }

    async fn is_split_or_merge_on(&self, switch: proto::MasterSwitchType) -> Result<bool, Error> {
        let request = proto::IsSplitOrMergeEnabledRequest { switch_type: switch.into() };
        let answer: proto::IsSplitOrMergeEnabledResponse =
            self.call("IsSplitOrMergeEnabled", &request).await?;
        Ok(answer.enabled)
    }
}

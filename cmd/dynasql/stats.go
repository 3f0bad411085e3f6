package main

import (
	"encoding/json"
	"io"

	"github.com/dynasql/dynasql/connector/catalog"
	"github.com/dynasql/dynasql/connector/read"
)

// statsLine is what --stats writes for a statement: what it sent and what that
// consumed, without what the catalog's samples read.
type statsLine struct {
	Requests      map[string]int `json:"requests"`
	ItemsRead     int64          `json:"items_read"`
	ItemsReturned int64          `json:"items_returned"`
	ReadUnits     float64        `json:"read_units"`
	Throttles     int            `json:"throttles,omitempty"`
	Plan          []read.PlanUse `json:"plan"`
	Sampling      *samplingLine  `json:"sampling,omitempty"`
}

// samplingLine is what the first look at the statement's tables has read, if it
// was the first.
type samplingLine struct {
	Requests  int64   `json:"requests"`
	ItemsRead int64   `json:"items_read"`
	ReadUnits float64 `json:"read_units"`
}

func writeStats(w io.Writer, u read.Usage, sampled catalog.Sampling) {
	line := statsLine{
		Requests: u.Requests, ItemsRead: u.Items, ItemsReturned: u.Returned,
		ReadUnits: u.ReadUnits, Throttles: u.Throttles, Plan: u.Plans,
	}
	if line.Plan == nil {
		line.Plan = []read.PlanUse{}
	}
	if sampled.Requests > 0 {
		line.Sampling = &samplingLine{sampled.Requests, sampled.Items, sampled.ReadUnits}
	}
	_ = json.NewEncoder(w).Encode(line) // numbers and names always encode; w is standard error
}

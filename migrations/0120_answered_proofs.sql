-- The end of a proof takes away who asked for it: times of a clock that was ahead said that nobody had asked.
update read.proof set asked_at = null where asked_at <= proved_at;

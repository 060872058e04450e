-- An exact sum of cents that stays bigint: sum(bigint) is numeric, which costs running balances a third of their time.

create aggregate log.total(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', parallel = safe, combinefunc = int8pl);

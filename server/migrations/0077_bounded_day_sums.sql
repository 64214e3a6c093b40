-- A gateway could report counters whose sum no longer fits a number.
update device_flow_day set bytes = 4503599627370495 where bytes > 4503599627370495;

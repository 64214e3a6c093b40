-- A holding that has ended says so itself, so that a longer duration of its package does not bring it back.
update holding h
set expire_at = least(h.expire_at, h.activated_at + p.time_capacity::bigint * case p.time_unit when 'minute' then 60 when 'hour' then 3600 else 86400 end)
from package p
where p.id = h.package_id and h.state = 'expired' and h.activated_at is not null and p.time_capacity is not null;

-- One form for mobile numbers of mainland China: without country code and hyphens.
-- Of two accounts that verified the same number in two forms, the first keeps the proof.
update customer c set phone_verified_at = null
from (
  select id, row_number() over (
    partition by replace(regexp_replace(phone, '^(\+|00)?86-?', ''), '-', '') order by phone_verified_at, id) as place
  from customer
  where phone_verified_at is not null
    and phone ~ '^((\+|00)86-?1[3-9][0-9-]*|86-?1[3-9][0-9]{9}|1[3-9][0-9-]*)$') proof
where proof.id = c.id and proof.place > 1;

do $$
declare name text;
begin
  foreach name in array array['agent', 'customer', 'subscriber', 'feedback'] loop
    execute format($update$
      update %I set phone = replace(regexp_replace(phone, '^(\+|00)?86-?', ''), '-', '')
      where phone ~ '^((\+|00)86-?1[3-9][0-9-]*|86-?1[3-9][0-9]{9}|1[3-9][0-9]*-[0-9-]*)$'
    $update$, name);
  end loop;
end $$;

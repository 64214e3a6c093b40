-- Bill numbers without holes: a VNO has its own counter, and a refused sale returns its number. Entries of card making are no bills and have
-- numbers of their own. Earlier bills keep their numbers, which come from one sequence of all VNOs.
comment on column document_number.kind is 'ts: ''bill'' | ''handover'' | ''stock''';

-- The row of the VNO is locked until the transaction ends.
create function next_document_number(agent bigint, document text) returns bigint language sql volatile as $$
  insert into document_number as d (agent_id, kind, last) values (agent, document, 1)
  on conflict (agent_id, kind) do update set last = d.last + 1 returning last
$$;

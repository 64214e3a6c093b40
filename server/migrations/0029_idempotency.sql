-- Answers to calls with an Idempotency-Key, kept for a day: a repeated key gets the first answer.
create table idempotency_key (
  customer_id bigint not null references customer (id) on delete cascade,
  call text not null,
  key text not null,
  -- Keyed hash of the input: it may hold passwords.
  input_hash text not null,
  -- Sealed; null only inside the transaction that works.
  answer text,
  create_at bigint not null,
  primary key (customer_id, call, key)
);
create index idempotency_key_create_at_idx on idempotency_key (create_at);

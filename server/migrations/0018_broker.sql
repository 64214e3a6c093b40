-- What a Mosquitto compares a gateway's key with, behind the hash of the very key it was made from.
alter table device add column key_verifier text;

-- VNOs whose operators uploaded a file of the gateway configuration: others cannot refer to it by its hash. Files of the previous release
-- have none. A deleted VNO keeps its rows, so that its files do not become files without an owner.
create table config_file_owner (
  sha256 text not null,
  sealed boolean not null,
  agent_id bigint not null,
  primary key (sha256, sealed, agent_id),
  foreign key (sha256, sealed) references config_file (sha256, sealed) on delete cascade
);

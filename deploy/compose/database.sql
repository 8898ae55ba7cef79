-- Run once, when the volume is empty. The service is no superuser: what it might be made to run stays in its own database.
\set password `cat /run/secrets/database-password`
CREATE ROLE recense LOGIN PASSWORD :'password';
ALTER DATABASE recense OWNER TO recense;
-- For the alert of long transactions, whoever has begun them.
GRANT pg_monitor TO recense;
-- From now on the superuser comes by the socket in the container alone.
ALTER ROLE postgres PASSWORD NULL;

#!/bin/sh
# Runs lookalike-spark on a standalone Spark cluster of a master and two workers on this machine, then the same job over
# Spark Connect, and compares both answers with that of one machine.
#
#   bench/cluster/standalone.sh WHEEL FOLDER
#
# WHEEL is the lookalike wheel, FOLDER a new folder for the environment, the documents and all answers. The Python of the
# workers has pyspark and pyarrow: the package travels with the job, as an archive.
set -eu
wheel=$(realpath "$1")
mkdir "$2"
folder=$(realpath "$2")
here=$(dirname "$(realpath "$0")")

python3 -m venv "$folder/environment"
python=$folder/environment/bin/python
"$python" -m pip install --quiet 'pyspark[connect]>=4.1' 'pandas<3' pyarrow
"$python" -m pip install --quiet --target "$folder/deps" --no-deps "$wheel"
tar -czf "$folder/deps.tgz" -C "$folder/deps" .
export PYTHONPATH="$folder/deps" PYSPARK_PYTHON="$python" SPARK_LOCAL_IP=127.0.0.1
spark=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_HOME="$spark"

processes=
trap 'for process in $processes; do kill "$process" || true; done' EXIT
start() {
    name=$1
    shift
    "$spark/bin/spark-class" "$@" > "$folder/$name.log" 2>&1 &
    processes="$processes $!"
}
wait_for() {
    for _ in $(seq 60); do grep -qs "$2" "$folder/$1.log" && return; sleep 1; done
    echo "$1 does not start: see $folder/$1.log" >&2
    exit 1
}

start master org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 17077 --webui-port 18080
wait_for master "I have been elected leader"
for worker in 1 2; do
    # Workers must not see the package: only the archive of the job brings it.
    PYTHONPATH='' start "worker-$worker" org.apache.spark.deploy.worker.Worker --cores 1 --memory 2G \
        --webui-port "1808$worker" --work-dir "$folder/work-$worker" spark://127.0.0.1:17077
    wait_for "worker-$worker" "Successfully registered with master"
done

"$python" "$here/documents.py" "$folder"
submit() {
    "$spark/bin/spark-submit" --master spark://127.0.0.1:17077 --executor-memory 1g \
        --archives "$folder/deps.tgz#deps" --conf spark.executorEnv.PYTHONPATH=./deps \
        --conf spark.sql.shuffle.partitions=8 "$@"
}
submit "$("$python" -m lookalike.spark.submit --where)" dedup "$folder/documents.parquet" "$folder/submitted" 2> "$folder/submit.log"
"$python" "$here/compare.py" "$folder" submitted

start connect org.apache.spark.deploy.SparkSubmit --master spark://127.0.0.1:17077 --executor-memory 1g \
    --conf spark.executorEnv.PYTHONPATH=./deps --conf spark.sql.shuffle.partitions=8 --conf spark.connect.grpc.binding.port=15902 \
    --conf spark.connect.grpc.binding.address=127.0.0.1 \
    --class org.apache.spark.sql.connect.service.SparkConnectServer spark-internal
wait_for connect "Spark Connect server started"
SPARK_REMOTE=sc://127.0.0.1:15902 "$python" -m lookalike.spark.submit dedup "$folder/documents.parquet" \
    "$folder/connected" --archive "$folder/deps.tgz#deps"
"$python" "$here/compare.py" "$folder" connected
